import Foundation

/// One reason for the app to run: all that is recorded in it has its trigger.
public final class Scope: Sendable {
  public let trigger: Trigger
  let push: String?
  private let uptake: Uptake, stages = Guarded<Set<Stage>>([])

  init(_ uptake: Uptake, _ trigger: Trigger, push: String? = nil) {
    (self.uptake, self.trigger, self.push) = (uptake, trigger, push)
  }

  /// Returns at once: the event has its time and id, and is written to the disk on another thread.
  public func record(_ stage: Stage, _ release: String? = nil, _ fill: (inout Details) -> Void = { _ in }) {
    note(stage)
    var details = Details(push: push)
    fill(&details)
    uptake.record(stage, trigger, release, details)
  }

  func note(_ stage: Stage) { stages.with { _ = $0.insert(stage) } }

  /// What a wake-up came to that does not say it itself.
  var outcome: Outcome {
    let stages = stages.with { $0 }
    if stages.contains(.failed) { return .failed }
    return stages.isDisjoint(with: [.downloadCompleted, .verified, .ready, .applied]) ? .noData : .newData
  }
}

public struct Details: Sendable {
  public var reason, from, network, push: String?
  public var bytes, durationMs: Int?, outcome: Outcome?, appState: AppState?, appIsStarting: Bool?
}

/// `@unchecked Sendable`: the value is reached with the lock held, and in no other way.
final class Guarded<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  func with<Result>(_ body: (inout Value) -> Result) -> Result { lock.withLock { body(&value) } }
}

/// What comes of `work`; `late` where it takes longer than `limit` milliseconds, or the caller is cancelled: so is the work then.
func within<T: Sendable>(_ limit: Int, _ late: T, _ work: @escaping @Sendable () async -> T) async -> T {
  let (results, first) = AsyncStream<T>.makeStream()
  let task = Task { first.yield(await work()) }
  DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(limit)) { first.finish() }
  defer { task.cancel() }
  // A stream ends where its reader is cancelled, whether or not the work heeds that.
  for await result in results { return result }
  return late
}
