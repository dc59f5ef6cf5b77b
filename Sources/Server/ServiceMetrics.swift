internal import Console
internal import HTTP
internal import Ingest
internal import Lifecycle

/// What the service counts itself, beside what the event log and the queue count.
final class ServiceMetrics: Sendable {
  /// About when the process began.
  let startedAt = Timestamp.now()
  let requests = Counter()
  let durations = Histogram(bounds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10])
  let bodies = Histogram(bounds: [100, 1000, 10_000, 100_000, 1_000_000, 10_000_000])
  let rejected = Counter()
  let received = Counter()
  let ignoredFields = Counter()
  let clockAhead = Counter()
  let lags = Histogram(bounds: [1, 10, 60, 300, 900, 3600, 21_600, 86_400, 604_800])
  let folds = Counter()
  /// What other systems' clients sent that holds no event or could not become one, by dialect and reason.
  let dropped = Counter()

  func observe(_ observation: Observation, route: String) {
    requests.add(1, route, Self.named(observation.method), observation.status.map(String.init) ?? "none")
    durations.observe(seconds: observation.duration)
    bodies.observe(Double(observation.requestBytes))
  }

  /// Anybody can make up methods, and each would be a series for ever.
  private static func named(_ method: String) -> String {
    ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"].contains(method) ? method : "other"
  }

  func observe(_ decoded: Decoded) {
    received.add(decoded.batch.events.count + decoded.rejected.total)
    for code in RejectionCode.allCases where decoded.rejected[code] > 0 {
      rejected.add(decoded.rejected[code], code.rawValue)
    }
    ignoredFields.add(decoded.ignoredFields)
    clockAhead.add(decoded.clockAhead)
    observeLags(decoded.batch)
  }

  /// Events of clients without a clock are left out: their time is that of their receipt.
  private func observeLags(_ batch: EventBatch) {
    guard let received = batch.received else { return }
    let timeless = batch.names.firstIndex(of: Event.timeOfReceipt)
    lags.observe(
      batch.events.compactMap {
        let isTimeless = timeless != nil && Int($0.reason.rawValue) == timeless
        return isTimeless ? nil : Double(max(0, (received - $0.at).rawValue)) / 1000
      })
  }
}
