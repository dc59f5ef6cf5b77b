internal import Console

/// What a page that a service shows says of being loaded again, with a way to stop it: whoever reads slowly, or by ear, loses the
/// place. A page in a folder has none of this.
public enum Reloading {
  /// The query of a page that stays as it is.
  public static let off = "reload=off"
  private static let end = "</header>\n<main"
  private static let beginning = "<p class=\"meta noprint\">This page "

  /// - Parameter seconds: from one time to the next.
  public static func shown(_ page: String, everySeconds seconds: Int) -> String {
    let words: HTML =
      "loads itself again every \(age(seconds: Int64(seconds))). <a href=\"?\(off)\">Stop reloading</a></p>"
    return page.replacing(end, with: beginning + words.description + end, maxReplacements: 1)
  }

  /// A page that is shown, as it is once that was stopped: its links lead to pages that stay as they are, too.
  public static func stopped(_ page: String) -> String {
    guard let start = page.firstRange(of: beginning), let end = page[start.upperBound...].firstRange(of: end) else {
      return page
    }
    let words = "does not load itself again. <a href=\"?reload=on\">Reload again</a></p>"
    return still(page[..<start.upperBound]) + words + still(page[end.lowerBound...])
  }

  /// A script, and the data that it reads, are left as they are.
  private static func still(_ markup: Substring) -> String {
    let script = markup.firstRange(of: "<script")?.lowerBound ?? markup.endIndex
    let parts = markup[..<script].split(separator: "href=\"", omittingEmptySubsequences: false)
    let links = parts.dropFirst().map { part -> String in
      let target = part.prefix { $0 != "\"" && $0 != "#" }
      guard target.hasSuffix(".html") else { return "href=\"\(part)" }
      return "href=\"\(target)?\(off)\(part[target.endIndex...])"
    }
    return String(parts[0]) + links.joined() + markup[script...]
  }
}
