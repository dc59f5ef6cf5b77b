public import Lifecycle

/// Pages of an earlier run that lie in a folder beside those that were made now: of releases that have none any more, or were not asked for.
extension Site {
  /// The page with a line that says that it is not of now; nil where it is no page of this app, or has that line.
  public static func past(_ page: [UInt8], app: String, now: Timestamp) -> [UInt8]? {
    let footer = String(decoding: page.suffix(2000), as: UTF8.self)
    guard footer.contains("from \(Name(app).html(atMost: 80).description). No script") else { return nil }
    guard let main = end(of: "</header>\n<main", in: page[...]), let start = end(of: ">\n", in: page[main...]) else {
      return nil
    }
    let mark = Array("<div class=\"wide past\">".utf8)
    guard !page[start...].starts(with: mark) else { return nil }
    let words: HTML = """
      <p class=note><strong>This page was not made anew at \(time(now)).</strong> What it says is of the time above; \
      All releases leads to the pages of now.</p></div>

      """
    return Array(page[..<start]) + mark + Array(words.description.utf8) + page[start...]
  }

  private static func end(of sought: String, in page: ArraySlice<UInt8>) -> Int? {
    let sought = Array(sought.utf8)
    var place = page.startIndex
    while let next = page[place...].firstIndex(of: sought[0]) {
      if page[next...].starts(with: sought) { return next + sought.count }
      place = next + 1
    }
    return nil
  }
}
