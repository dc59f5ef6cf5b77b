internal import Answers
internal import Console
internal import Dispatch
public import Lifecycle
internal import Store

/// Takes old single events out as the service starts and every day from then on, as `uptake retain` does.
public final class DailyRetention: Sendable {
  public struct Rule: Sendable {
    public var keeps: Milliseconds
    /// nil where older events are dropped.
    public var archives: String?

    public init(keeps: Milliseconds, archives: String?) { (self.keeps, self.archives) = (keeps, archives) }
  }

  private let service: Service
  private let rule: Rule
  private let queue = DispatchQueue(label: "uptake.retention", qos: .utility)
  private static let period = 86_400

  public init(_ service: Service, _ rule: Rule) {
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
