internal import Console
internal import Ingest
internal import Store

/// Looks for devices that sent what none can, in what came since the last time; for one thread, which no fold waits for.
struct HistoryKeeper {
  private let service: Service
  private var pace = ExaminationPace()

  init(_ service: Service) { self.service = service }

  /// A step of a million events at most, so that no log grows long behind what is read.
  mutating func examineWhenDue() {
    let stored = service.log.tally.stored
    guard pace.isDue(stored: stored) else { return }
    let begun = ContinuousClock.now
    let left = examine()
    pace.note(stored: stored, left: left, took: ContinuousClock.now - begun)
  }

  /// How many events are left.
  private func examine() -> Int64 {
    do throws(StoreError) {
      guard let step = try service.log.examine() else { return 0 }
      if step.found > 0 {
        service.journal.write(.warning, "devices_set_aside", ["devices": .integer(step.found), "see": "uptake doctor"])
      }
      return step.left
    } catch {
      service.journal.writeSparingly(.error, "histories_not_examined", ["reason": .string(error.description)])
      return 0
    }
  }
}

/// Decides when histories are examined: seldom enough that it takes half a percent of a core, and five where many events wait for it.
struct ExaminationPace {
  private var stored = -1
  private var next: ContinuousClock.Instant
  private static let (rest, restBehind) = (200, 20)
  private static let least = Swift.Duration.seconds(5)

  init(now: ContinuousClock.Instant = .now) { next = now }

  func isDue(stored: Int, now: ContinuousClock.Instant = .now) -> Bool { stored != self.stored && now >= next }

  /// - Parameter left: how many events it did not come to.
  mutating func note(stored: Int, left: Int64, took: Swift.Duration, now: ContinuousClock.Instant = .now) {
    self.stored = left > 0 ? -1 : stored
    next = now + max(Self.least, took * (left < ImpossibleHistories.atOnce ? Self.rest : Self.restBehind))
  }
}
