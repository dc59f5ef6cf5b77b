/// The first tables. Frozen: files that hold them are in the world.
extension Schema {
  static let version1: StaticString = """
    CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
    CREATE TABLE name (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
    CREATE TABLE profile (
      id INTEGER PRIMARY KEY, platform TEXT, os_version TEXT, app_version TEXT, sdk_version TEXT, arm TEXT, emulator INTEGER
    );
    CREATE TABLE context (
      id INTEGER PRIMARY KEY, app TEXT NOT NULL, channel TEXT NOT NULL, network TEXT,
      profile INTEGER NOT NULL REFERENCES profile
    );
    CREATE TABLE release (id INTEGER PRIMARY KEY, app TEXT NOT NULL, label TEXT NOT NULL, UNIQUE (app, label));
    CREATE TABLE publication (
      id INTEGER PRIMARY KEY, release INTEGER NOT NULL REFERENCES release, channel TEXT NOT NULL,
      platform TEXT NOT NULL DEFAULT '', published_at INTEGER NOT NULL, mandatory INTEGER NOT NULL DEFAULT 0,
      UNIQUE (release, channel, platform)
    );
    CREATE TABLE rollout_step (
      publication INTEGER NOT NULL REFERENCES publication ON DELETE CASCADE, at INTEGER NOT NULL, percent REAL NOT NULL,
      PRIMARY KEY (publication, at)
    ) WITHOUT ROWID;
    CREATE TABLE key (
      id INTEGER PRIMARY KEY, app TEXT NOT NULL, scope TEXT NOT NULL, hash BLOB NOT NULL UNIQUE, note TEXT,
      created_at INTEGER NOT NULL, revoked_at INTEGER
    );
    CREATE TABLE event (
      seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, received INTEGER, device INTEGER NOT NULL, context INTEGER NOT NULL,
      release INTEGER, stage INTEGER NOT NULL, trigger INTEGER NOT NULL, outcome INTEGER, reason INTEGER, duration INTEGER,
      id_hash INTEGER NOT NULL, push INTEGER, bytes INTEGER, from_release INTEGER, bucket INTEGER
    );
    CREATE TABLE journey (
      release INTEGER NOT NULL, channel INTEGER NOT NULL, shard INTEGER NOT NULL, part INTEGER NOT NULL,
      packed BLOB NOT NULL, UNIQUE (release, channel, shard, part)
    );
    CREATE TABLE device (
      app INTEGER NOT NULL, shard INTEGER NOT NULL, part INTEGER NOT NULL, packed BLOB NOT NULL,
      UNIQUE (app, shard, part)
    );
    CREATE TABLE wake (
      app INTEGER NOT NULL, shard INTEGER NOT NULL, week INTEGER NOT NULL, part INTEGER NOT NULL, packed BLOB NOT NULL,
      UNIQUE (app, shard, week, part)
    );
    CREATE TABLE trail (
      shard INTEGER NOT NULL, era INTEGER NOT NULL, part INTEGER NOT NULL, packed BLOB NOT NULL,
      UNIQUE (shard, era, part)
    );
    CREATE TABLE sighting (
      release INTEGER NOT NULL, channel INTEGER NOT NULL, platform INTEGER NOT NULL,
      first_at INTEGER NOT NULL, first_subject_at INTEGER, PRIMARY KEY (release, channel, platform)
    ) WITHOUT ROWID;
    CREATE TABLE lag (
      app INTEGER NOT NULL, day INTEGER NOT NULL, seconds INTEGER NOT NULL, events INTEGER NOT NULL,
      PRIMARY KEY (app, day, seconds)
    ) WITHOUT ROWID;

    CREATE VIEW v1_event AS
      SELECT seq, strftime('%Y-%m-%dT%H:%M:%fZ', at / 1000.0, 'unixepoch') AS at,
        strftime('%Y-%m-%dT%H:%M:%fZ', received / 1000.0, 'unixepoch') AS received,
        printf('%016x', device) AS device, c.app AS app, c.channel AS channel, p.platform AS platform,
        p.os_version AS osVersion, p.app_version AS appVersion, p.sdk_version AS sdkVersion, c.network AS network,
        p.arm AS arm, p.emulator AS emulator, r.label AS release,
        CASE stage WHEN 1 THEN 'wakeStarted' WHEN 2 THEN 'check' WHEN 3 THEN 'available' WHEN 4 THEN 'downloadStarted'
          WHEN 5 THEN 'downloadCompleted' WHEN 6 THEN 'verified' WHEN 7 THEN 'ready' WHEN 8 THEN 'applied'
          WHEN 9 THEN 'confirmed' WHEN 20 THEN 'pushSent' WHEN 21 THEN 'pushReceived' WHEN 22 THEN 'wakeFinished'
          WHEN 23 THEN 'dismissed' WHEN 24 THEN 'failed' WHEN 25 THEN 'rolledBack' WHEN 26 THEN 'crashed' END AS stage,
        CASE trigger WHEN 1 THEN 'silentPush' WHEN 2 THEN 'bgRefresh' WHEN 3 THEN 'foreground' WHEN 4 THEN 'location'
          ELSE 'unknown' END AS trigger,
        CASE outcome WHEN 1 THEN 'newData' WHEN 2 THEN 'noData' WHEN 3 THEN 'failed' WHEN 4 THEN 'expired'
          WHEN 5 THEN 'accepted' WHEN 6 THEN 'rejected' END AS outcome,
        n.text AS reason, duration AS durationMs, bytes, f.label AS "from", bucket
      FROM event e JOIN context c ON c.id = e.context JOIN profile p ON p.id = c.profile
        LEFT JOIN release r ON r.id = e.release LEFT JOIN release f ON f.id = e.from_release
        LEFT JOIN name n ON n.id = e.reason;
    CREATE VIEW v1_release AS
      SELECT r.app AS app, r.label AS release, p.channel AS channel, nullif(p.platform, '') AS platform,
        strftime('%Y-%m-%dT%H:%M:%fZ', p.published_at / 1000.0, 'unixepoch') AS publishedAt, p.mandatory AS mandatory
      FROM release r LEFT JOIN publication p ON p.release = r.id;
    CREATE VIEW v1_rollout_step AS
      SELECT r.app AS app, r.label AS release, p.channel AS channel, nullif(p.platform, '') AS platform,
        strftime('%Y-%m-%dT%H:%M:%fZ', s.at / 1000.0, 'unixepoch') AS at, s.percent AS percent
      FROM rollout_step s JOIN publication p ON p.id = s.publication JOIN release r ON r.id = p.release;
    PRAGMA application_id = 1433433195;
    PRAGMA user_version = 1;
    """
}
