import Lifecycle

extension ParsedRequest {
  /// Some clients name in checks and crashes what they downloaded last, even while it only waits for the next start. Until it is
  /// heard to have started, or to be given up, it is not taken for what runs. Events of one request may come in any order.
  mutating func recallWaiting(_ remembered: (_ app: String, _ device: String) -> String?) {
    var waiting: [[String]: String?] = [:]
    for index in drafts.indicesByTime {
      let device = [drafts[index].app ?? "", drafts[index].device]
      let before = waiting[device] ?? remembered(device[0], device[1])
      if let before { drafts[index].disown(before) }
      let after = drafts[index].waiting(after: before)
      guard after != before else { continue }
      waiting[device] = after
      remembers.append((device[0], device[1], after))
    }
  }
}

extension Draft {
  /// What waits for the next start after this, where `before` did until then.
  fileprivate func waiting(after before: String?) -> String? {
    switch stage {
    case .downloadCompleted, .verified, .ready: release
    case .applied, .confirmed, .failed, .rolledBack: release == before ? nil : before
    case .crashed: release == before && crashesNameWhatRuns ? nil : before
    case .available, .downloadStarted, .wakeStarted, .check, .pushSent, .pushReceived, .wakeFinished, .dismissed:
      before
    }
  }

  fileprivate mutating func disown(_ waiting: String) {
    guard release == waiting, stage == .check || stage == .crashed && !crashesNameWhatRuns else { return }
    release = nil
  }

  /// On iOS alone what waits is named in crashes, too (stallion 2.4.0, ios/main/StallionExceptionHandler.mm).
  private var crashesNameWhatRuns: Bool { platform == "android" }
}

extension [Draft] {
  /// Those without a time are of now, and come last.
  fileprivate var indicesByTime: [Int] {
    indices.sorted { (self[$0].at?.rawValue ?? .max, $0) < (self[$1].at?.rawValue ?? .max, $1) }
  }
}
