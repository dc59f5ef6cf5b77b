public import Lifecycle

/// One event about a push or about work in the background, as far as questions about them need it.
public struct WakeFact: Hashable, Sendable {
  public var at: Timestamp
  /// `release << 17 | network << 13 | hasPush << 12 | hasDuration << 11 | outcome << 8 | trigger << 5 | stage`.
  @usableFromInline var what: Int64
  /// `channel << 32 | platform`: numbers of `name`.
  var place: Int64
  /// Keyed hash of the push's id; 0 is none.
  public var push: UInt64
  /// Negative where the client gave none.
  var milliseconds: Int32

  /// Their codes: for questions that sort facts by both.
  @inlinable public var stageCode: Int { Int(what & 31) }
  @inlinable public var triggerCode: Int { Int(what >> 5 & 7) }

  /// Compared one by one: questions ask this of every fact, and a table would be looked up through a lock each time.
  @inlinable public var stage: Stage {
    switch UInt8(truncatingIfNeeded: what & 31) {
    case Stage.check.code: .check
    case Stage.wakeStarted.code: .wakeStarted
    case Stage.wakeFinished.code: .wakeFinished
    case Stage.pushReceived.code: .pushReceived
    default: .pushSent
    }
  }
  @inlinable public var trigger: Trigger {
    switch UInt8(truncatingIfNeeded: what >> 5 & 7) {
    case Trigger.silentPush.code: .silentPush
    case Trigger.bgRefresh.code: .bgRefresh
    case Trigger.foreground.code: .foreground
    case Trigger.location.code: .location
    default: .unknown
    }
  }
  public var outcome: Outcome? {
    let code = UInt8(truncatingIfNeeded: what >> 8 & 7)
    return code == 0 ? nil : Outcome(code: code)
  }
  public var network: Network { Network(rawValue: UInt8(what >> 13 & 15)) }
  /// Of a sent push the release that it is about; else 0.
  public var release: Int64 { what >> 17 }
  public var channel: Int64 { place >> 32 }
  /// Of a sent push the platform that the push server named; else 0.
  public var platform: Int64 { place & 0xffff_ffff }
  public var duration: Milliseconds? { milliseconds < 0 ? nil : Milliseconds(rawValue: Int64(milliseconds)) }
}

extension WakeFact {
  /// nil for events that say nothing of pushes or wake-ups.
  init?(_ event: FoldEvent, _ origin: Origins.Origin) {
    switch event.stage {
    case .pushSent, .pushReceived, .wakeStarted, .wakeFinished, .check: break
    case .available, .downloadStarted, .downloadCompleted, .verified, .ready, .applied, .confirmed, .dismissed, .failed,
      .rolledBack, .crashed:
      return nil
    }
    let isSent = event.stage == .pushSent
    at = event.at
    push = event.push
    milliseconds = event.milliseconds
    what = Int64(event.stage.code) | Int64(event.trigger.code) << 5 | Int64(event.outcome?.code ?? 0) << 8
    what |= (milliseconds < 0 ? 0 : 1 << 11) | (push == 0 ? 0 : 1 << 12) | Int64(origin.network.rawValue) << 13
    what |= isSent ? Int64(event.release) << 17 : 0
    place = origin.channel << 32 | (isSent ? origin.platform : 0)
  }

  var hasDuration: Bool { what & 1 << 11 != 0 }
  var hasPush: Bool { what & 1 << 12 != 0 }
}

extension WakeFact: Comparable {
  /// In order of time; at one instant what was sent comes first, and numbers of the database decide last.
  public static func < (left: WakeFact, right: WakeFact) -> Bool {
    if left.at != right.at { return left.at < right.at }
    let (one, other) = (left.rank, right.rank)
    if one != other { return one < other }
    return (left.push, left.milliseconds, left.what, left.place) < (
      right.push, right.milliseconds, right.what, right.place
    )
  }

  private var rank: Int {
    switch stage {
    case .pushSent: 0
    case .wakeStarted: 1
    case .pushReceived: 2
    case .check: 3
    default: 4
    }
  }
}

/// A fact and whose it is.
struct DeviceWakeFact {
  var device: UInt64
  var fact: WakeFact
}

/// Which wake shard a fact belongs to. Weeks keep a fold from rewriting the past, and a question from reading all of it.
struct WakePlace: ShardPlace {
  var app: Int64
  var shard: Int
  /// Weeks since 1970-01-01; what clocks say outside 2010 to 2100 goes to the first and the last.
  var week: Int64
  var mix: Int { Int(truncatingIfNeeded: week &+ app &* 61) }

  static func < (left: Self, right: Self) -> Bool {
    (left.app, left.shard, left.week) < (right.app, right.shard, right.week)
  }

  static func week(_ instant: Timestamp) -> Int64 { min(max(instant.seconds / 604_800, 2087), 6783) }
}
