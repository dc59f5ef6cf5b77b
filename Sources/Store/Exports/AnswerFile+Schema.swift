extension AnswerFile {
  /// What other programs may rely on: a view for each question, with the columns of its CSV behind the app and the release. Numbers
  /// are in base units (shares 0 to 1, times in seconds), and what cannot be said is NULL.
  ///
  /// Columns are only ever added; what changes meaning gets views of a new name.
  static let schema: StaticString = """
    PRAGMA application_id = 1970304097;
    CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
    CREATE TABLE line (question TEXT, app TEXT, release TEXT, position INTEGER, value TEXT,
      PRIMARY KEY (question, app, release, position)) WITHOUT ROWID;

    CREATE VIEW v1_about AS SELECT name, value FROM about;

    CREATE VIEW v1_adoption AS
      SELECT app, release, value ->> 'channel' AS channel, value ->> 'age' AS age, value ->> 'adoption' AS adoption,
        value ->> 'adoption_lo' AS adoption_lo, value ->> 'adoption_hi' AS adoption_hi,
        value ->> 'baseline' AS baseline, value ->> 'baseline_lo' AS baseline_lo,
        value ->> 'baseline_hi' AS baseline_hi, value ->> 'difference' AS difference,
        value ->> 'difference_lo' AS difference_lo, value ->> 'difference_hi' AS difference_hi,
        value ->> 'events' AS events, value ->> 'atRisk' AS atRisk, value ->> 'devices' AS devices
      FROM line WHERE question = 'adoption' ORDER BY app, release, position;

    CREATE VIEW v1_time_to_update AS
      SELECT app, release, value ->> 'channel' AS channel, value ->> 'devices' AS devices,
        value ->> 'events' AS events, value ->> 'censored' AS censored, value ->> 'excluded' AS excluded,
        value ->> '$."p0.1"' AS "p0.1", value ->> '$."p0.1_lo"' AS "p0.1_lo", value ->> '$."p0.1_hi"' AS "p0.1_hi",
        value ->> '$."p0.25"' AS "p0.25", value ->> '$."p0.25_lo"' AS "p0.25_lo",
        value ->> '$."p0.25_hi"' AS "p0.25_hi", value ->> '$."p0.5"' AS "p0.5", value ->> '$."p0.5_lo"' AS "p0.5_lo",
        value ->> '$."p0.5_hi"' AS "p0.5_hi", value ->> '$."p0.75"' AS "p0.75",
        value ->> '$."p0.75_lo"' AS "p0.75_lo", value ->> '$."p0.75_hi"' AS "p0.75_hi",
        value ->> '$."p0.9"' AS "p0.9", value ->> '$."p0.9_lo"' AS "p0.9_lo", value ->> '$."p0.9_hi"' AS "p0.9_hi",
        value ->> '$."p0.95"' AS "p0.95", value ->> '$."p0.95_lo"' AS "p0.95_lo",
        value ->> '$."p0.95_hi"' AS "p0.95_hi", value ->> 'restrictedMean' AS restrictedMean,
        value ->> 'restrictedMean_lo' AS restrictedMean_lo, value ->> 'restrictedMean_hi' AS restrictedMean_hi
      FROM line WHERE question = 'time-to-update' ORDER BY app, release, position;

    CREATE VIEW v1_funnel AS
      SELECT app, release, value ->> 'channel' AS channel, value ->> 'stage' AS stage,
        value ->> 'reached' AS reached, value ->> 'implied' AS implied, value ->> 'share' AS share,
        value ->> 'share_lo' AS share_lo, value ->> 'share_hi' AS share_hi, value ->> 'lost' AS lost,
        value ->> 'failed' AS failed, value ->> '$."p0.5"' AS "p0.5", value ->> '$."p0.5_lo"' AS "p0.5_lo",
        value ->> '$."p0.5_hi"' AS "p0.5_hi", value ->> '$."p0.9"' AS "p0.9", value ->> '$."p0.9_lo"' AS "p0.9_lo",
        value ->> '$."p0.9_hi"' AS "p0.9_hi"
      FROM line WHERE question = 'funnel' ORDER BY app, release, position;

    CREATE VIEW v1_failures AS
      SELECT app, release, value ->> 'channel' AS channel, value ->> 'attempts' AS attempts,
        value ->> 'failed' AS failed, value ->> 'rate' AS rate, value ->> 'rate_lo' AS rate_lo,
        value ->> 'rate_hi' AS rate_hi, value ->> 'decision' AS decision, value ->> 'limit' AS "limit",
        value ->> 'previousRate' AS previousRate, value ->> 'previousRate_lo' AS previousRate_lo,
        value ->> 'previousRate_hi' AS previousRate_hi, value ->> 'difference' AS difference,
        value ->> 'difference_lo' AS difference_lo, value ->> 'difference_hi' AS difference_hi,
        value ->> 'rollbackRate' AS rollbackRate, value ->> 'rollbackRate_lo' AS rollbackRate_lo,
        value ->> 'rollbackRate_hi' AS rollbackRate_hi, value ->> 'tooYoung' AS tooYoung,
        value ->> 'advice' AS advice
      FROM line WHERE question = 'failures' ORDER BY app, release, position;

    CREATE VIEW v1_mechanisms AS
      SELECT app, release, value ->> 'channel' AS channel, value ->> 'mechanism' AS mechanism,
        value ->> 'events' AS events, value ->> 'share3600' AS share3600, value ->> 'share3600_lo' AS share3600_lo,
        value ->> 'share3600_hi' AS share3600_hi, value ->> 'share21600' AS share21600,
        value ->> 'share21600_lo' AS share21600_lo, value ->> 'share21600_hi' AS share21600_hi,
        value ->> 'share86400' AS share86400, value ->> 'share86400_lo' AS share86400_lo,
        value ->> 'share86400_hi' AS share86400_hi, value ->> 'share259200' AS share259200,
        value ->> 'share259200_lo' AS share259200_lo, value ->> 'share259200_hi' AS share259200_hi,
        value ->> 'share604800' AS share604800, value ->> 'share604800_lo' AS share604800_lo,
        value ->> 'share604800_hi' AS share604800_hi, value ->> 'publishedToReady' AS publishedToReady,
        value ->> 'readyToApplied' AS readyToApplied, value ->> 'readyToApplied_lo' AS readyToApplied_lo,
        value ->> 'readyToApplied_hi' AS readyToApplied_hi
      FROM line WHERE question = 'mechanisms' ORDER BY app, release, position;
    """
}
