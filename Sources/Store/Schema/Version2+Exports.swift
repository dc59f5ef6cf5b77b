extension Schema {
  /// What was told to other programs, and what waits to be told.
  static let exportedFacts: StaticString = """
    CREATE TABLE export_fact (
      target TEXT NOT NULL, id TEXT NOT NULL, app TEXT NOT NULL, release TEXT NOT NULL, channel TEXT NOT NULL,
      kind TEXT NOT NULL, word TEXT, at INTEGER NOT NULL, noticed_at INTEGER NOT NULL, fact TEXT NOT NULL,
      outcome TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, next_at INTEGER NOT NULL, changed_at INTEGER NOT NULL,
      reason TEXT, PRIMARY KEY (target, id)
    ) WITHOUT ROWID;
    CREATE TABLE export_target (
      target TEXT PRIMARY KEY, paused_until INTEGER NOT NULL DEFAULT 0, sent_at INTEGER, failed_at INTEGER, reason TEXT,
      position INTEGER NOT NULL DEFAULT 0
    ) WITHOUT ROWID;
    CREATE VIEW v1_export AS
      SELECT target, id, app, release, channel, kind, word,
        strftime('%Y-%m-%dT%H:%M:%fZ', at / 1000.0, 'unixepoch') AS at,
        strftime('%Y-%m-%dT%H:%M:%fZ', noticed_at / 1000.0, 'unixepoch') AS noticedAt, outcome, attempts,
        strftime('%Y-%m-%dT%H:%M:%fZ', changed_at / 1000.0, 'unixepoch') AS changedAt, reason
      FROM export_fact;
    """
}
