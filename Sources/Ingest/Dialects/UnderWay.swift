import Lifecycle

/// What a draft says of the update that its device has under way.
enum UnderWay: Equatable {
  case begun(String)
  /// Staged, started or given up: what fails after it is another one.
  case ended

  /// nil where it says nothing of it.
  init?(_ draft: Draft) {
    switch draft.stage {
    case .available, .downloadStarted, .downloadCompleted, .verified:
      guard let release = draft.release else { return nil }
      self = .begun(release)
    case .ready, .applied, .failed, .rolledBack: self = .ended
    case .wakeStarted, .check, .confirmed, .pushSent, .pushReceived, .wakeFinished, .dismissed, .crashed: return nil
    }
  }

  var release: String? { if case .begun(let release) = self { release } else { nil } }
}

extension ParsedRequest {
  /// A failure without a release is one of what is under way. Where nobody knows what that is, it is only a sign of life: a
  /// healthy release must not be blamed for it.
  mutating func recallUnderWay(_ remembered: (_ app: String, _ device: String) -> String?) {
    var current: [[String]: UnderWay] = [:]
    for index in drafts.indices {
      let device = [drafts[index].app ?? "", drafts[index].device]
      if drafts[index].stage == .failed, drafts[index].release == nil {
        let release = current[device].map(\.release) ?? remembered(device[0], device[1])
        drafts[index].blame(release)
        if release == nil { drop("failure_of_unknown") }
      }
      guard let change = UnderWay(drafts[index]) else { continue }
      current[device] = change
      remembers.append((device[0], device[1], change.release))
    }
  }
}

extension Draft {
  fileprivate mutating func blame(_ release: String?) {
    self.release = release
    if release == nil { (stage, reason) = (.check, nil) }
  }
}
