import Console
import Lifecycle
import Store

/// Refused pushes that single events tell alike: only these keep the gateway's word for why.
struct PushRefusal: Hashable {
  /// Empty where nothing says it.
  var platform: String
  /// 0 where they name none.
  var release: Int64
  /// Since 1970.
  var hour: Int64
  /// As the gateway says; empty where it said nothing.
  var reason: String
}

extension PushRefusal {
  /// nil for an event that is none.
  init?(_ event: RecentEvent) {
    guard let reason = event.refusal else { return nil }
    self.init(
      platform: event.platform ?? "", release: event.release, hour: event.at.seconds / 3600, reason: reason)
  }

  /// With the platform of pushes where their device's own events tell it: push servers seldom know it.
  static func placed(_ events: [RecentEvent]) -> [RecentEvent] {
    let unplaced = events.indices.filter { events[$0].stage == .pushSent && events[$0].platform == nil }
    guard !unplaced.isEmpty else { return events }
    let told = events.lazy.compactMap { event in event.platform.map { (event.device, $0) } }
    let platforms = Dictionary(told) { first, _ in first }
    var placed = events
    for index in unplaced { placed[index].platform = platforms[placed[index].device] }
    return placed
  }
}

/// Why gateways refused pushes, the most frequent reason first.
struct PushRefusals {
  let reasons: [(reason: String, pushes: Int)]
  let all: Int

  init(_ counts: [PushRefusal: Int], where isAsked: (PushRefusal) -> Bool) {
    var pushes: [String: Int] = [:]
    for (refusal, count) in counts where isAsked(refusal) { pushes[refusal.reason, default: 0] += count }
    all = pushes.values.reduce(0, +)
    reasons = pushes.filter { !$0.key.isEmpty }.map { (reason: $0.key, pushes: $0.value) }
      .sorted { ($1.pushes, $0.reason) < ($0.pushes, $1.reason) }
  }

  /// `ExpiredProviderToken 94 of 94`, the three most frequent; nil where no event names any.
  var words: String? {
    let named = reasons.prefix(3).map { "\(Query.named($0.reason)) \(grouped($0.pushes)) of \(grouped(all))" }
    return named.isEmpty ? nil : named.joined(separator: ", ")
  }

  /// Causes, those whose reasons are the most frequent first.
  func ordered(_ causes: [RefusalCause]) -> [String] {
    func pushes(_ cause: RefusalCause) -> Int {
      reasons.reduce(0) { $0 + (cause.reasons.contains($1.reason) ? $1.pushes : 0) }
    }
    return causes.enumerated().sorted { (pushes($1.element), $0.offset) < (pushes($0.element), $1.offset) }
      .map(\.element.words)
  }
}

/// Something that makes a gateway refuse pushes, with what it says then.
struct RefusalCause {
  let words: String
  let reasons: Set<String>

  init(_ words: String, _ reasons: Set<String> = []) { (self.words, self.reasons) = (words, reasons) }
}
