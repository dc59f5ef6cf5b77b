public import Lifecycle

/// Why a continuous copy cannot be made or restored. The path is the address of its target.
public enum CopyProblem: Hashable, Sendable {
  /// What the target or the system said.
  case unreachable(String)
  case empty
  case unreadable
  case tooEarly(oldest: Timestamp)
  /// An increment that is known to have been there.
  case missing(sequence: Int, whole: Timestamp?)
  case damaged(name: String, why: String, whole: Timestamp?)
  case alreadyCopied
  /// A generation that another database began.
  case ofAnother(generation: String)
  /// Since when each of several databases has copies there.
  case several(began: [Timestamp])
  case badAddress(String)

  func words(_ address: String) -> String {
    switch self {
    case .unreachable(let why): "the copy at \(address) cannot be written or read: \(why)"
    case .empty: "there is no whole copy at \(address)"
    case .unreadable: "\(address) can be written only"
    case .tooEarly(let oldest): "the copy at \(address) begins later, at \(oldest.rfc3339)"
    case .missing(let sequence, _): "the copy at \(address) has a gap: part \(sequence) is missing"
    case .damaged(let name, let why, _): "the copy at \(address) is damaged: \(name) \(why)"
    case .alreadyCopied: "\(address) is being copied by another process"
    case .ofAnother(let generation):
      "\(address) holds the copy of another database, of \(CopyName.began(generation).rfc3339)"
    case .several(let began):
      "\(address) holds copies of \(began.count) databases, begun \(began.map(\.rfc3339).joined(separator: " and "))"
    case .badAddress(let why): "\(RemoteDatabases.shown(address)) is no place for a copy: \(why)"
    }
  }

  var hint: Remedy {
    switch self {
    case .unreachable: "it is tried again; look at the target's space, permissions and network"
    case .empty: "give the DIR or s3://BUCKET/PREFIX that was given to uptake replicate"
    case .unreadable: "fetch what the command stored into a folder, and restore from that"
    case .tooEarly(let oldest): "ask for a time from \(oldest) on"
    case .missing(_, let whole?), .damaged(_, _, let whole?):
      "fetch it again from where it was kept; what was before is whole: --at \(whole)"
    case .missing(_, nil), .damaged(_, _, nil):
      "fetch it again from where it was kept, give an earlier time with --at, or restore a backup"
    case .alreadyCopied: "one process copies a database, to one place: end the other one first"
    case .ofAnother:
      "to go on with that database, restore it first; for this one name another place, or move what is there away"
    case .several:
      "move the folders of all generations but those of the one that is meant away; each says in database whose it is"
    case .badAddress: "give a folder, s3://BUCKET/PREFIX, or exec:COMMAND"
    }
  }

  public var code: String {
    switch self {
    case .unreachable: "copy_unreachable"
    case .empty: "no_copy"
    case .unreadable: "copy_unreadable"
    case .tooEarly: "too_early"
    case .missing: "copy_gap"
    case .damaged: "copy_damaged"
    case .alreadyCopied: "already_copied"
    case .ofAnother: "copy_of_another"
    case .several: "copies_of_several"
    case .badAddress: "bad_target"
    }
  }

  public var isUsage: Bool {
    switch self {
    case .badAddress, .unreadable: true
    case .unreachable, .empty, .tooEarly, .missing, .damaged, .alreadyCopied, .ofAnother, .several: false
    }
  }

  /// Whether the copy itself is unusable.
  public var isOfTheCopy: Bool {
    switch self {
    case .missing, .damaged: true
    case .unreachable, .empty, .unreadable, .tooEarly, .alreadyCopied, .ofAnother, .several, .badAddress: false
    }
  }
}
