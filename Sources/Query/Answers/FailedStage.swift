import Store

/// The stages that end an attempt at a release without success. The raw values are part of every answer's JSON.
public enum FailedStage: String, CaseIterable, Encodable, Sendable {
  case failed, rolledBack, crashed

  var milestone: Milestone {
    switch self {
    case .failed: .failed
    case .rolledBack: .rolledBack
    case .crashed: .crashed
    }
  }
}
