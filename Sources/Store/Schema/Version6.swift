/// The sixth version: who did what, and the platform that a key stands for.
extension Schema {
  static let version6: [StaticString] = [audit, keptWhole, told, keyPlatforms, "PRAGMA user_version = 6"]

  /// An entry is written in the transaction of its act. `key` is the number of the key that was presented, `os_user` the
  /// user of the command line; neither is there of a request before the first key was made.
  private static let audit: StaticString = """
    CREATE TABLE audit (
      id INTEGER PRIMARY KEY, at INTEGER NOT NULL, act TEXT NOT NULL, app TEXT, key INTEGER, os_user TEXT,
      facts TEXT NOT NULL CHECK (json_valid(facts))
    );
    """

  /// Entries are added and nothing else. A row that replaces one fires no trigger of its removal, so it is passed over as it
  /// comes, as salvage does with a row that it finds twice.
  private static let keptWhole: StaticString = """
    CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
      BEGIN SELECT raise(ABORT, 'the audit only grows: no entry is changed'); END;
    CREATE TRIGGER audit_is_not_removed BEFORE DELETE ON audit
      BEGIN SELECT raise(ABORT, 'the audit only grows: no entry is removed'); END;
    CREATE TRIGGER audit_is_not_replaced BEFORE INSERT ON audit WHEN EXISTS (SELECT 1 FROM audit WHERE id = NEW.id)
      BEGIN SELECT raise(IGNORE); END;
    """

  private static let told: StaticString = """
    CREATE VIEW v1_audit AS
      SELECT id, strftime('%Y-%m-%dT%H:%M:%fZ', at / 1000.0, 'unixepoch') AS at, act, app, key, os_user AS user, facts
      FROM audit;
    """

  /// The platform of events whose clients do not say theirs.
  private static let keyPlatforms: StaticString = "ALTER TABLE key ADD COLUMN platform TEXT"
}
