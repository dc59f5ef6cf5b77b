/// The eighth version: devices that are set aside because no device can have sent what they sent, and devices that their
/// platform vouched for.
extension Schema {
  static let version8: [StaticString] = [impossible, attested, begun, "PRAGMA user_version = 8"]

  /// `rule` is a code of `ImpossibleHistories.Rule`, `count` what it counted when the device was found.
  private static let impossible: StaticString = """
    CREATE TABLE impossible (
      device INTEGER NOT NULL, app INTEGER NOT NULL, rule INTEGER NOT NULL, count INTEGER NOT NULL,
      PRIMARY KEY (device, app)
    ) WITHOUT ROWID
    """

  /// `at` is when the newest of its tokens was accepted.
  private static let attested: StaticString = """
    CREATE TABLE attested (
      device INTEGER NOT NULL, app INTEGER NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (device, app)
    ) WITHOUT ROWID
    """

  /// Of an old file no more is examined than a quick examination does.
  private static let begun: StaticString = """
    INSERT OR REPLACE INTO meta (key, value)
      SELECT 'examined', max(0, coalesce(max(seq), 0) - 1000000) FROM event
    """
}
