/// The third version: what the default questions of a release need, ready to be read.
extension Schema {
  static let version3: [StaticString] = [summaries, "PRAGMA user_version = 3"]

  /// `ground` tells what else than folded events the parts were made from; `since` and `until` for which cutoffs they hold.
  private static let summaries: StaticString = """
    CREATE TABLE summary_state (
      app INTEGER PRIMARY KEY, folded INTEGER NOT NULL, since INTEGER NOT NULL, until INTEGER NOT NULL,
      data_through INTEGER, ground TEXT NOT NULL
    );
    CREATE TABLE summary (
      app INTEGER NOT NULL, release INTEGER NOT NULL, channel TEXT NOT NULL, platform TEXT NOT NULL,
      part INTEGER NOT NULL, packed BLOB NOT NULL, UNIQUE (app, release, channel, platform, part)
    );
    """
}
