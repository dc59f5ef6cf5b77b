internal import Console

extension Program.Topic {
  static let formatting = Program.Topic(
    "formatting", purpose: "the forms of an answer, of times, and of numbers"
  ) { _ in
    """
    Without --format an answer is a table on a terminal and tsv in a pipe. Tables are for people: rounded, aligned, \
    cut to the width. The others are for programs:

      json     one document with schema, query, warnings and data, also when
               there are no rows; --json is the same
      ndjson   the elements of data, one a line
      csv      RFC 4180; text that a spreadsheet would run gets an apostrophe
      tsv      tab-separated, full values
      md       a Markdown table
      plot     a curve in braille above the table; --ascii without braille

    In json, csv and tsv a share is 0 to 1, a length of time is in seconds, an instant is RFC 3339 in UTC, and \
    verdicts, states and what else is one of a few words are the same: goOn, rollingBack, rollingOut. An estimate has its \
    interval beside it: lo and hi in json, the columns name_lo and name_hi in csv and tsv. What cannot be said is null or \
    empty, never 0; in a table it is — and a line below says why.

    --fields a,b prints only these fields. --no-header leaves out the heading of csv and tsv. --output FILE writes \
    the file atomically.

    Lengths of time are typed 500ms, 30s, 90m, 24h, 7d, 2w or 1h30m. Instants are typed 2025-03-01 (midnight UTC), \
    2025-03-01T08:00:00Z, '2025-03-01 08:00 UTC' as answers have them, 2025-03-01T08:00+02:00, or 7d: that long before \
    now. --now takes another instant as now.

    On a narrow terminal a table's times lose their zone, UTC, and then their year, which a note says; columns are left \
    out, empty ones first, and a note names the others. Numbers and times are never cut, nor commands to be pasted.

    In tables: 480ms, 12.3s, 97s, 36m, 27.2h, 7.0d; shares 45.9%; differences of shares +6.8 pp. Only none is 0.0% and only \
    all is 100.0%.
    """
  }
}
