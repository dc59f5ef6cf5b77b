/// The second version: a constant per subject.
extension Schema {
  static let version2: [StaticString] = [
    removedEvents, forgottenDevices, foreignCredentials, rememberedChannels, exportedFacts, "PRAGMA user_version = 2",
  ]

  /// Which single events are no longer in `event`, and where they went. `identities` keeps what a resend is recognised by.
  private static let removedEvents: StaticString = """
    CREATE TABLE removed (
      id INTEGER PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL, before INTEGER NOT NULL,
      state INTEGER NOT NULL, events INTEGER NOT NULL, archive TEXT, identities BLOB
    );
    """

  /// Which devices were forgotten, as keyed hashes of their hashes, so that a restored backup forgets them too.
  private static let forgottenDevices: StaticString = """
    CREATE TABLE forgotten (digest BLOB NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (digest, at)) WITHOUT ROWID;
    """

  /// Keys that are another system's credential: which dialect presents them, and the channel that they stand for.
  private static let foreignCredentials: StaticString = """
    ALTER TABLE key ADD COLUMN dialect TEXT;
    ALTER TABLE key ADD COLUMN channel TEXT;
    """

  /// The channel that a device last named, for clients that name it in questions and leave it out of reports.
  private static let rememberedChannels: StaticString = """
    CREATE TABLE remembered_channel (device INTEGER PRIMARY KEY, channel TEXT NOT NULL);
    """
}
