internal import Console
public import Lifecycle
public import Report

extension SiteFolder {
  /// Says on each page of a release that an earlier run left in the folder, and that was not made now, that it was not: who has it
  /// open is neither to take it for the present, nor to miss it.
  ///
  /// - Parameter files: what was made now.
  /// - Returns: how many pages there are that did not say so yet.
  @discardableResult
  public static func markPast(
    besides files: [SiteFile], in folder: String, app: String, now: Timestamp, isOver: () -> Bool = { false }
  ) throws -> Int {
    let made = Set(files.map(\.path))
    let parts = Set(files.compactMap { file in file.path.firstIndex(of: "/").map { String(file.path[..<$0]) } })
    var marked = 0
    for path in parts.sorted().flatMap({ pages(in: folder, below: $0) }) where !made.contains(path) && !isOver() {
      guard let old = try contents(of: folder + "/" + path), let past = Site.past(old, app: app, now: now) else {
        continue
      }
      let page = try AtomicFile(folder + "/" + path)
      try page.write(String(decoding: past, as: UTF8.self))
      try page.commit()
      marked += 1
    }
    return marked
  }

  /// Those of a release at `release/LABEL.html` and `release/LABEL/CHANNEL.html`.
  private static func pages(in folder: String, below part: String) -> [String] {
    let found = (names(in: folder + "/" + part) ?? []).flatMap { name -> [String] in
      let path = part + "/" + name
      guard !isSymbolicLink(folder + "/" + path) else { return [] }
      return name.hasSuffix(".html") ? [path] : (names(in: folder + "/" + path) ?? []).map { path + "/" + $0 }
    }
    return found.filter { $0.hasSuffix(".html") && !isSymbolicLink(folder + "/" + $0) }
  }
}
