internal import Answers
internal import Console
internal import Dispatch
internal import Lifecycle
internal import Store

/// Takes old single events out as the service starts and every day from then on, as `uptake retain` does.
final class DailyRetention: Sendable {
  struct Rule: Sendable {
    var keeps: Milliseconds
    /// nil where older events are dropped.
    var archives: String?
  }

  private let service: Service
  private let rule: Rule
  private let queue = DispatchQueue(label: "uptake.retention", qos: .utility)
  private static let period = 86_400

  init(_ service: Service, _ rule: Rule) {
    self.service = service
    self.rule = rule
    run()
  }

  /// The next one is due a day after this one is done. A service that ends amid it goes on at its next start.
  private func run() {
    queue.async { [self] in
      retain()
      queue.asyncAfter(deadline: .now() + .seconds(Self.period)) { [self] in run() }
    }
  }

  private func retain() {
    do throws(StoreError) {
      try service.log.foldAll()
      let report = try service.log.retain(before: service.now - rule.keeps, archives: rule.archives)
      service.journal.write(
        .info, "retained",
        ["events": .integer(Int(report.events)), "archives": .array(report.archives.map(JSON.string))])
    } catch {
      service.journal.write(.error, "retention_failed", ["reason": .string(error.description)])
    }
  }
}

extension Option {
  static let retainRaw = Option(
    "retain-raw", .duration, key: "retain-raw", help: "Daily take out single events that were received before this time"
  )
  static let retainArchive = Option(
    "retain-archive", .path, value: "DIR", key: "retain-archive", completion: "directories",
    help: "Put them into compressed archives there")
  static let retainDrop = Option("retain-drop", key: "retain-drop", help: "Drop them")
}

extension Invocation {
  func retentionRule() throws(Failure) -> DailyRetention.Rule? {
    guard let keeps = milliseconds(.retainRaw) else { return nil }
    guard (text(.retainArchive) == nil) == flag(.retainDrop) else {
      throw Failure(
        "where_to", "say where old events go", place: "--retain-raw",
        hints: ["--retain-archive DIR keeps them, --retain-drop does not"], exit: .usage)
    }
    let directory: String? = if let path = text(.retainArchive) { try madeDirectory(path) } else { nil }
    return DailyRetention.Rule(keeps: keeps, archives: directory)
  }
}
