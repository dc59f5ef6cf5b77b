internal import Console
internal import Lifecycle
internal import Query
internal import Report
internal import Store

/// Makes the pages of one app, as text: the service writes them to its folder and serves them.
struct SiteChore: Chore {
  static let name = "pages"
  var database: String
  var app: String
  /// So many of the releases that were published last have pages.
  var newest: Int
  /// The folder of own pages.
  var pages: String?
  var judging: Query.Verdict.Options
  var minCell: Int
  var version: String

  struct Done: Codable, Sendable {
    /// The present that they were made with.
    var now: Timestamp
    var files: [SiteFile]
  }

  func done(_ clock: @Sendable () -> Instant) throws -> Done {
    let site = try SiteFolder.site(pages: pages)
    let snapshot = try Snapshot(path: database)
    let now = Timestamp(clock)
    let order = SiteOrder(
      database: database, app: app, newest: newest, pages: pages, judging: judging, minCell: minCell, now: now,
      version: version)
    return Done(now: now, files: try site.files(try order.answers(snapshot)))
  }
}
