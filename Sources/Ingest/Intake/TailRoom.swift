import Locks
public import Store

/// How much may be stored that nobody has sorted yet.
///
/// Who sorts reads it into memory, and so does every question: it must not grow without end while a merge works. At the bound a
/// commit waits until some is sorted; where that takes too long, what it holds is refused, and comes again. Where sorting fails
/// nothing is gained by waiting, so then nobody waits.
public final class TailRoom: Sendable {
  /// What an event takes in memory while it is sorted or asked about.
  public static let bytesPerEvent = 48

  private struct State {
    var sorted = 0
    var fails = false
  }

  public let limit: Int
  private let patience: Duration
  private let log: EventLog
  private let state = Lock(State())
  private let bell = Bell()

  /// - Parameters:
  ///   - limit: in bytes.
  ///   - patience: how long a commit waits at most.
  public init(_ log: EventLog, limit: Int = 64 << 20, patience: Duration = .seconds(2)) {
    (self.log, self.limit, self.patience) = (log, limit, patience)
  }

  /// What is stored and not sorted, as it lies in memory.
  public var bytes: Int { max(0, log.tally.stored - state.withLock(\.sorted)) * Self.bytesPerEvent }

  /// Merges give way to sorting from here on.
  public var isHalfFull: Bool { bytes >= limit / 2 }

  /// - Parameter events: how many of those that were stored need no sorting any more.
  public func note(sorted events: Int) {
    state.withLock { ($0.sorted, $0.fails) = (events, false) }
    bell.signal()
  }

  public func noteFailure() {
    state.withLock { $0.fails = true }
    bell.signal()
  }

  private var isFull: Bool { bytes >= limit && !state.withLock(\.fails) }

  /// Waits for some; answers whether there is any.
  func wait(unless isStopping: () -> Bool) -> Bool {
    let end = ContinuousClock.now + patience
    while isFull, !isStopping() {
      if ContinuousClock.now >= end { return false }
      bell.wait(.milliseconds(50))
    }
    return true
  }
}
