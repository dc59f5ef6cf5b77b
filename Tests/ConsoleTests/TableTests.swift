import Foundation
import Lifecycle
import Testing

@testable import Console

/// One table in all its forms.
struct TableTests {
  private static let table = Table(
    [
      .init("RELEASE", key: "release"), .init("AGE", key: "ageSeconds"), .init("OFFERED", key: "offered"),
      .init("ADOPTED (95% CI)", key: "adopted", hasInterval: true),
      .init("MEDIAN", key: "medianSeconds", hasInterval: true),
      .init("CHANGE", key: "change", hasInterval: true), .init("LAST", key: "last"),
      .init("CURVE", key: "curve", isOptional: true),
    ],
    rows: [
      [
        .text("2025.3.1"), .duration(seconds: 604_800), .count(9800), .share(0.954, .init(0.942, 0.964)),
        .duration(seconds: 97_920, .init(90_000, nil)), .points(0.068, .init(0.054, 0.083)),
        .instant(Instant(rawValue: 0)),
        .sparkline([0, 0.3, 0.6, 1]),
      ],
      [
        .text("=\"2025.3.0\",\ta|b\n\u{1B}[31m"), .duration(seconds: 1_814_400), .count(800),
        .share(0.092, .init(0.09, 0.095)),
        .missing(because: "not reached"), .missing(because: "not reached"), .missing(because: ""),
        .sparkline([0, 0.2]),
      ],
      [
        .text("更新 – 日本語のとても長いリリース名前"), .missing(because: "not published"), .count(0),
        .missing(because: "nobody was offered it"),
        .missing(because: "nobody was offered it"), .quantity(-1.5, nil, .number(digits: 2)),
        .instant(Instant(rawValue: 1_741_392_000_500)),
        .sparkline([]),
      ],
    ])

  @Test(arguments: [80, 120, 200]) func aligns(_ width: Int) throws {
    try expectPicture(Self.table.aligned(width: width, glyphs: .unicode), "table-\(width).txt")
  }
  @Test func alignsInASCII() throws {
    try expectPicture(Self.table.aligned(width: 140, glyphs: .ascii), "table-ascii.txt")
  }
  @Test func separates() throws {
    try expectPicture(Self.table.tsv(), "table.tsv")
    try expectPicture(Self.table.csv(), "table.csv")
    try expectPicture(Self.table.markdown(), "table.md")
  }

  @Test func headsInBold() {
    #expect(Self.table.aligned(width: 120, glyphs: .unicode, colour: true).hasPrefix("\u{1B}[1mRELEASE"))
  }

  /// Law: no line is wider than the terminal, none holds a control character, and every row is there.
  @Test(arguments: 10...200) func fits(_ width: Int) {
    let lines = Self.table.aligned(width: width, glyphs: .unicode).split(separator: "\n").map(String.init)
    #expect(lines.allSatisfy { displayWidth($0) <= width || !$0.contains(" ") })
    #expect(lines.allSatisfy { harmless($0) == $0 && !$0.hasSuffix(" ") })
    #expect(lines.count >= 4)
  }

  private static let day = Instant(rawValue: 1_741_392_000_500)
  private static let times = Table(
    [.init("AT", key: "at"), .init("REASON", key: "reason"), .init("WHAT", key: "what", least: 12).wrapping],
    rows: [
      [.instant(day), .text(""), .text("release 2.0.0, channel production")],
      [.missing(because: ""), .text(""), .text("")],
    ])

  /// A time is never cut: it loses its zone, then its year. Empty columns are left out before others, and no note says so.
  @Test(arguments: [
    (
      65,
      """
      AT                    REASON  WHAT
      2025-03-08 00:00 UTC          release 2.0.0, channel production
      —

      """
    ),
    (
      45,
      """
      AT                REASON  WHAT
      2025-03-08 00:00          release 2.0.0,
                                channel production
      —
      note: times are in UTC

      """
    ),
    (
      26,
      """
      AT           WHAT
      03-08 00:00  release
                   2.0.0,
                   channel
                   production
      —
      note: times are in UTC, of
      2025

      """
    ),
    (20, "AT\n2025-03-08 00:00 UTC\n—\nnote: hidden: WHAT;\nwiden the terminal\n"),
  ])
  func shortensTimesAndFoldsTexts(_ width: Int, _ text: String) {
    #expect(Self.times.aligned(width: width, glyphs: .unicode) == text)
  }

  @Test func timesOfTwoYearsKeepThem() {
    let table = Table(
      [.init("A", key: "a"), .init("B", key: "b")], rows: [[.instant(Instant(rawValue: 0)), .instant(Self.day)]])
    let lines = table.aligned(width: 34, glyphs: .unicode).split(separator: "\n")
    #expect(lines.dropFirst() == ["1970-01-01 00:00  2025-03-08 00:00", "note: times are in UTC"])
  }

  @Test func leavesWholeWhatIsToBePasted() {
    let command = "uptake key create --db /var/lib/uptake/uptake.db"
    let table = Table(
      [.init("CHECK", key: "check"), .init("FIX", key: "fix").below],
      rows: [[.text("access keys"), .text(command)], [.text("backup"), .text("")]])
    #expect(
      table.aligned(width: 30, glyphs: .unicode) == "CHECK\naccess keys\nbackup\naccess keys: \(command)\n")
    #expect(table.tsv() == "check\tfix\naccess keys\t\(command)\nbackup\t\n")
  }

  @Test(arguments: [
    ("too early: tea steep 2.0 --for 4m", 40, ["too early: tea steep 2.0 --for 4m"]),
    ("too early: tea steep 2.0 --for 4m", 22, ["too early:", "  tea steep 2.0 --for 4m"]),
    ("much too early: tea steep 2.0", 15, ["much too early:", "tea steep 2.0"]),
    ("see tea: no command is here", 12, ["see tea: no", "command is", "here"]),
  ])
  func keepsCommandsWhole(_ text: String, _ width: Int, _ lines: [String]) {
    #expect(wrapped(text, to: width, keeping: "tea") == lines)
  }

  @Test(arguments: [
    ("", 5, [""]), ("aaaaaaaa bb", 3, ["aaa", "aaa", "aa", "bb"]), ("日本語 b", 4, ["日本", "語", "b"]), ("a b", 9, ["a b"]),
  ]) func foldsTexts(_ text: String, _ width: Int, _ lines: [String]) { #expect(folded(text, to: width) == lines) }

  @Test func isWellFormedWithoutRows() {
    let empty = Table([.init("A", key: "a"), .init("B", key: "b", hasInterval: true)])
    #expect(empty.aligned(width: 80, glyphs: .unicode) == "A  B\n")
    #expect(empty.tsv() == "a\tb\tb_lo\tb_hi\n")
    #expect(empty.csv(header: false) == "")
  }

  @Test(arguments: ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "＝1+1", "＠SUM(A1)"]) func guardsAgainstFormulas(
    _ text: String
  ) {
    let field = Table([.init("A", key: "a")], rows: [[.text(text)]]).csv(header: false)
    #expect(field.hasPrefix("'") || field.hasPrefix("\"'"))
  }

  /// People and programs read another word for the same.
  @Test func aTermIsReadByBoth() {
    let table = Table([.init("A", key: "a")], rows: [[.term("goOn", words: "go on")]])
    #expect(table.csv(header: false) == "goOn\r\n" && table.objects.map { $0.text(.compact) } == [#"{"a":"goOn"}"#])
    #expect(table.markdown().contains("| go on |"))
  }

  /// What people read in another column is none of theirs, unless they ask for it.
  @Test func aColumnForProgramsIsShownToPeopleWhoNameIt() throws {
    let columns = [Table.Column("A", key: "a"), Table.Column("B", key: "b").forPrograms]
    let table = Table(columns, rows: [[.text("rolling 25%"), .share(0.25)]])
    #expect(table.csv() == "a,b\r\nrolling 25%,0.25\r\n" && table.tsv(header: false) == "rolling 25%\t0.25\n")
    #expect(table.aligned(width: 80, glyphs: .unicode) == "A\nrolling 25%\n")
    #expect(table.aligned(width: 5, glyphs: .unicode) == "A\nroll…\n", "no note names it")
    #expect(table.markdown() == "| A |\n| --- |\n| rolling 25% |\n")
    #expect(try table.selecting(["b"]).aligned(width: 80, glyphs: .unicode) == "    B\n25.0%\n")
  }

  /// To Swift a quote below an accent is another character; to whoever reads the file it is the end of the field.
  @Test func quotesBelowAccentsAreQuotes() {
    let table = Table([.init("A", key: "a")], rows: [[.text("a\"\u{301},\"\u{301}b")]])
    #expect(Array(table.csv(header: false).utf8) == Array("\"a\"\"\u{301},\"\"\u{301}b\"\r\n".utf8))
    let marked = Table([.init("A", key: "a")], rows: [[.text("|\u{301}<\u{301}script>")]]).markdown()
    #expect(!marked.utf8.contains(UInt8(ascii: "<")) && marked.unicodeScalars.count { $0 == "\\" } == 1, "\(marked)")
  }

  @Test func leavesNegativeNumbersAlone() {
    #expect(
      Table([.init("A", key: "a")], rows: [[.points(-0.5)], [.count(-3)]]).csv(header: false) == "-0.5\r\n-3\r\n")
  }

  @Test(arguments: [
    ("abc", 3), ("", 0), ("日本", 4), ("e\u{301}", 1), ("👩‍👩‍👧‍👦", 2), ("❤️", 2), ("ｱ", 1), ("Ａ", 2), ("한글", 4), ("1", 1),
    ("©", 1), ("🇩🇪", 2),
    ("\u{200B}", 0), ("ไทย", 3),
  ]) func measuresColumns(_ text: String, _ columns: Int) { #expect(displayWidth(text) == columns) }

  @Test(arguments: [
    ("abcdef", 4, "abc…"), ("abcd", 4, "abcd"), ("日本語", 4, "日…"), ("日本語", 5, "日本…"), ("ab", 0, ""), ("ab", 1, "…"),
  ])
  func truncates(_ text: String, _ width: Int, _ result: String) { #expect(truncated(text, to: width) == result) }

  @Test(arguments: [
    ("abcdef", 4, "ab…f"), ("abcdef", 5, "ab…ef"), ("abcd", 4, "abcd"), ("日本通運-本番", 8, "日本…番"), ("abc", 2, "a…"),
    ("ab", 0, ""),
  ])
  func truncatesWithin(_ text: String, _ width: Int, _ result: String) {
    #expect(truncatedWithin(text, to: width) == result)
  }

  /// Channels of one customer are told apart by their ends; what reads like nothing else is cut there.
  @Test func whatWouldReadAlikeIsCutWithin() {
    let table = Table(
      [.init("CHANNEL", key: "channel"), .init("DEVICES", key: "devices")],
      rows: [
        [.text("customer-nordwind-production"), .count(1)], [.text("customer-nordwind-staging"), .count(2)],
        [.text("production-of-all-others"), .count(3)],
      ])
    #expect(
      table.aligned(width: 21, glyphs: .unicode) == """
        CHANNEL       DEVICES
        custom…ction        1
        custom…aging        2
        production-…        3

        """)
  }

  @Test(arguments: [
    ("a\u{1B}[2Jb", "a\\u{1b}[2Jb"), ("a\tb\r\n", "a\\tb\\r\\n"), ("\u{9B}31m", "\\u{9b}31m"),
    ("a\u{202E}b", "a\\u{202e}b"),
    ("\u{7F}", "\\u{7f}"), ("é日👩‍👧", "é日👩‍👧"), ("C:\\new", "C:\\new"), ("\u{2066}x", "\\u{2066}x"),
  ]) func makesHarmless(_ text: String, _ result: String) { #expect(harmless(text) == result) }
}
