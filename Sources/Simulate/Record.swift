import Lifecycle

/// Why something failed, as clients word it.
enum Reason: UInt8, CaseIterable {
  case none, network, disk, hash, signature, patch, crash, server

  var name: String {
    switch self {
    case .none: ""
    case .network: "NETWORK_ERROR"
    case .disk: "DISK_FULL"
    case .hash: "HASH_MISMATCH"
    case .signature: "SIGNATURE_INVALID"
    case .patch: "PATCH_ERROR"
    case .crash: "CRASH_LOOP"
    case .server: "SERVER_ROLLBACK"
    }
  }
}

/// The number of a release; what the wire calls by label.
typealias ReleaseNumber = UInt16
extension ReleaseNumber { static let none = ReleaseNumber.max }

/// An event in a client's queue: what happened, in true time.
struct Record {
  var at: Timestamp
  var stage: Stage
  /// Nil where the client leaves it to `appState`.
  var trigger: Trigger?
  var release: ReleaseNumber = .none
  var from: ReleaseNumber = .none
  var reason: Reason = .none
  var outcome: Outcome?
  var push: Push = .none
  var appState: AppState?
  var isStarting = false
  var network: Network = .none
  var channel: UInt8 = 0
  var duration: Int32 = -1
  var bytes: Int32 = -1
  var sequence: UInt32 = 0

  enum Push: Equatable {
    case none
    case campaign(UInt16)
    /// A visible notification; not of any campaign.
    case notice(UInt16)
  }
}

/// What the truth keeps of a device: eight bytes a piece, in order of time.
struct Milestone {
  enum Kind: UInt8 { case installed, contact, started, failed, ready, applied, rolledBack, crashed, switched, ended }
  /// Since the scenario's start; negative before it.
  var seconds: Int32
  var release: ReleaseNumber = .none
  var kind: Kind
  /// Of `ready` and `applied` a trigger's code, of `contact` and `switched` the channel, of `failed` the reason.
  var detail: UInt8 = 0
}
