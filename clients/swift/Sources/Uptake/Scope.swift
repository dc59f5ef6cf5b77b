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

/// What comes of `work`, or `late` where it takes longer than `limit` milliseconds; the work is then cancelled.
func within<T: Sendable>(_ limit: Int, _ late: T, _ work: @escaping @Sendable () async -> T) async -> T {
  await withCheckedContinuation { (continuation: CheckedContinuation<T, Never>) in
    let waiting = Guarded<CheckedContinuation<T, Never>?>(continuation)
    @Sendable func end(_ result: T) { waiting.with { $0.take() }?.resume(returning: result) }
    let task = Task { end(await work()) }
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(limit)) {
      end(late)
      task.cancel()
    }
  }
}
