internal import Console
public import Report

/// A folder that pages are written to, and folders that own pages are read from.
public enum SiteFolder {
  /// Each file under a temporary name first, synced, then renamed: a reader sees the old page or the new one, whole.
  ///
  /// - Parameter isOver: whether no further file is to be begun.
  public static func write(_ files: [SiteFile], to folder: String, isOver: () -> Bool = { false }) throws {
    for file in files where !isOver() {
      let path = folder + "/" + file.path
      let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? folder
      do throws(Failure) { try makeFolder(of: path, mode: 0o777) } catch {
        throw Failure("not_written", "the folder \(parent) cannot be made", hints: ["check who may write there"])
      }
      let page = try AtomicFile(path)
      try page.write(file.text)
      try page.commit()
    }
  }

  /// The built-in pages and those of a folder.
  public static func site(pages folder: String?) throws -> Site {
    guard let folder else { return try Site() }
    guard let found = names(in: folder) else {
      throw Failure("no_pages", "the folder \(folder) cannot be read", hints: ["check --pages"], exit: .usage)
    }
    let files = found.filter { $0.hasSuffix(".json") }
    let pages = try files.map {
      (file: $0, json: String(decoding: try contents(of: folder + "/" + $0) ?? [], as: UTF8.self))
    }
    do throws(PageError) { return try Site(pages: pages) } catch {
      throw Failure("bad_page", "\(folder)/\(error)", exit: .usage)
    }
  }
}
