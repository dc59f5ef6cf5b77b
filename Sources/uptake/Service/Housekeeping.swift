internal import Console
internal import Dispatch
internal import Ingest
internal import Store
internal import Synchronization

/// What goes on beside the requests: folding events, watching the disk, reading the keys again.
///
/// Folds adapt: while events pour in they follow one another, each with what arrived during the last; when events
/// trickle they wait, because a fold rewrites every shard it touches.
final class Housekeeping: Sendable {
  private let service: Service
  private let stopped = DispatchSemaphore(value: 0)
  private let wake = DispatchSemaphore(value: 0)
  private let isStopping = Atomic(false)

  /// Fold at once when so many events wait, else when the oldest has waited so long.
  private static let eagerEvents = 200_000
  private static let longestWait = 60

  init(_ service: Service) {
    self.service = service
    DispatchQueue(label: "uptake.housekeeping", qos: .utility).async { [self] in run() }
  }

  /// Folds what is left and stops.
  func stop() {
    isStopping.store(true, ordering: .relaxed)
    wake.signal()
    stopped.wait()
  }

  private func run() {
    var (seconds, folded, lastFold) = (0, 0, 0)
    while !isStopping.load(ordering: .relaxed) {
      service.freeBytes.store(freeSpace(service.settings.path), ordering: .relaxed)
      if seconds % 5 == 0 { service.reloadKeys() }
      let waiting = service.log.tally.stored - folded
      if waiting > Self.eagerEvents || waiting > 0 && seconds - lastFold >= Self.longestWait {
        folded += fold()
        lastFold = seconds
      }
      if let reports = service.reports, reports.isDue {
        // What is folded is read faster than what is not.
        folded += fold()
        lastFold = seconds
        reports.begin()
      }
      _ = wake.wait(timeout: .now() + 1)
      seconds += 1
    }
    _ = fold()
    stopped.signal()
  }

  private func fold() -> Int {
    do {
      let events = try service.log.foldAll()
      service.metrics.folds.add(events)
      return events
    } catch {
      service.journal.write(.error, "fold_failed", ["reason": .string(error.description)])
      return 0
    }
  }
}
