internal import Console
internal import HTTP
internal import Lifecycle
internal import Report

/// The sites of all apps, as they were rendered together.
struct ServedSites: Sendable {
  typealias Files = [String: ServedFile]
  private(set) var apps: [String: Files] = [:]
  /// The page that lists the apps, for whoever may see them all.
  private(set) var list: ServedFile
  /// The present that the pages were made with.
  var now: Timestamp
  /// How often pages are made anew; nil where a page does not load itself again.
  private let every: Console.Duration?

  init(now: Timestamp, every: Console.Duration? = nil, before: ServedSites?) {
    (self.now, self.every) = (now, every)
    list = ServedFile(Site.list([]), now: now, every: every, before: before?.list)
  }

  var pages: Int { apps.values.reduce(0) { $0 + $1.count } }

  mutating func put(_ files: [SiteFile], app: String, before: ServedSites?) {
    let old = before?.apps[app] ?? [:]
    apps[app] = Dictionary(
      files.map { ($0.path, ServedFile($0, now: now, every: every, before: old[$0.path])) }, uniquingKeysWith: { $1 })
    list = ServedFile(Site.list(apps.keys.sorted()), now: now, every: every, before: before?.list)
  }

  /// Pages that could not be made anew stay as they were.
  mutating func keep(app: String, of before: ServedSites?) {
    guard let files = before?.apps[app] else { return }
    apps[app] = files
    list = ServedFile(Site.list(apps.keys.sorted()), now: now, every: every, before: before?.list)
  }

  /// What stands at a path; by a key its app's pages, else those of the only app, or below a folder of each.
  ///
  /// The path is looked up among the files that were rendered and never reaches a file system.
  func file(at segments: [String], app: String?) -> ServedFile? {
    if let app { return apps[app]?[path(segments)] }
    if let only = apps.first, apps.count == 1 { return only.value[path(segments)] }
    guard let folder = segments.first, segments != ["index.html"] else { return list }
    let site = apps.first { Site.folder(of: $0.key) == folder }
    return site?.value[path(Array(segments.dropFirst()))]
  }

  private func path(_ segments: [String]) -> String {
    var segments = segments
    if segments.isEmpty || segments.last == "" { segments = segments.dropLast() + ["index.html"] }
    return segments.joined(separator: "/")
  }
}
