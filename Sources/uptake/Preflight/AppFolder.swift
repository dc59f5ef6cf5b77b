internal import Console
internal import Preflight

/// The files of an app that rules look at: one, or those below a project's folder.
struct AppFolder {
  /// Files and folders that are looked at, at most.
  static let limit = 20_000
  private static let depth = 12
  /// What tools write and fetch, and tests: none of it is the app's own.
  private static let passedOver: Set<String> = [
    "node_modules", "Pods", "build", "DerivedData", "Carthage", "vendor", "out", "dist", "test", "tests", "androidTest",
    "debug", "profile", "example", "macos", "linux", "windows", "web",
  ]

  private let path: String
  private let read: (String) throws(Failure) -> [UInt8]?

  init(_ path: String, read: @escaping (String) throws(Failure) -> [UInt8]?) { (self.path, self.read) = (path, read) }

  /// In order of path; false where there was more than the limit.
  func files() throws -> (files: [AppFile], isWhole: Bool) {
    guard let children = folder(path) else {
      guard let bytes = try read(path) else {
        throw Failure("file_missing", "there is no file \(path)", hints: ["check the path"], exit: .usage)
      }
      guard let file = AppFile(path: path, bytes: bytes) else {
        throw Failure(
          "unknown_file", "\(path) is no Info.plist, no entitlements and no AndroidManifest.xml",
          hints: ["name one of them, or the folder of a project"], exit: .usage)
      }
      return ([file], true)
    }
    var (found, seen) = ([String](), 0)
    collect(children, in: path, depth: 0, &found, &seen)
    // A file that cannot be read, or is too large to be one of these, is none of them.
    let files = found.compactMap { path in
      (try? read(path)).flatMap { $0 }.flatMap { AppFile(path: path, bytes: $0) }
    }
    return (files, seen <= Self.limit)
  }

  /// Breadth does not matter; links are not followed.
  private func collect(
    _ names: [String], in parent: String, depth: Int, _ found: inout [String], _ seen: inout Int
  ) {
    for name in names where !name.hasPrefix(".") && !Self.passedOver.contains(name) {
      seen += 1
      guard seen <= Self.limit else { return }
      let path = parent == "." ? name : (parent.hasSuffix("/") ? parent : parent + "/") + name
      if AppFile.Kind(path: path) != nil {
        found.append(path)
      } else if depth < Self.depth, !isLink(path), let children = folder(path) {
        collect(children, in: path, depth: depth + 1, &found, &seen)
      }
    }
  }

  /// The names in a folder, in order; nil where the path is none.
  private func folder(_ path: String) -> [String]? {
    names(in: path)
  }

  private func isLink(_ path: String) -> Bool {
    isSymbolicLink(path)
  }
}
