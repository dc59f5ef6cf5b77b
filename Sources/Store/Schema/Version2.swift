/// The second version: a constant per subject.
extension Schema {
  static let version2: [StaticString] = [removedEvents, forgottenDevices, "PRAGMA user_version = 2"]

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
}
