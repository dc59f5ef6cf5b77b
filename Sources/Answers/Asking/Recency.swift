public import Console
internal import Lifecycle
internal import Query

/// When the release of a row was published, and where: what the rows of an answer about many releases are chosen by.
struct Recency: Sendable {
  var channel: String
  var at: Timestamp
}

extension [Recency] {
  /// Rows that a terminal shows of many, and an assistant gets: two screens.
  static var onScreen: Int { 40 }

  /// The places of the newest rows, in the order of the answer; of each channel its newest few come before all others.
  func newest(_ most: Int) -> [Int] {
    let order = indices.sorted { (self[$1].at, $0) < (self[$0].at, $1) }
    return NewestOfEach.chosen(order.map { self[$0].channel }, atMost: most).map { order[$0] }.sorted()
  }

  /// What a terminal shows where nobody said how many; nil where that is all.
  ///
  /// - Parameter withheld: rows that follow these.
  func brief(withheld: Int = 0) -> BriefRows? {
    guard count + withheld > Self.onScreen else { return nil }
    let shown = newest(Self.onScreen)
    return BriefRows(shown, note: Self.leftOut(count + withheld - shown.count, of: count + withheld))
  }

  static func leftOut(_ left: Int, of all: Int) -> String {
    "\(grouped(left)) of \(grouped(all)) rows are left out, of older releases: --newest 0 shows all"
  }
}

extension Option {
  /// In no answer's echo: it leaves rows out, and changes none.
  public static let newest = Option(
    "newest", .integer(0...1_000_000), group: "FILTERS",
    help: "Only N rows: of each channel the newest three, then the newest; 0: all. A terminal shows 40 otherwise")

  /// What an assistant gets where it says nothing: thousands of rows are more than it can read.
  public static var newestForAssistants: (option: Option, text: String) { (.newest, "\([Recency].onScreen)") }
}

extension Parameters {
  /// How many rows are to stay; nil where all are.
  var newest: Int? { integer(.newest).flatMap { $0 > 0 ? $0 : nil } }
}
