import Lifecycle
import Statistics
import Store

/// The legs of updates to one release on one segment as they lie in a summary, with the cutoff left open.
///
/// Who waits for a delivery waits in the table of risk, too, and only there it is kept until when. Of who was delivered and
/// waits for the launch it is kept here, and taken out of the first leg again: those waits ended at the delivery. Exact for
/// every cutoff after everything that was heard. Tested in `SummaryTests`.
struct OpenLegs {
  private let columns: [Int64: SummaryPart]

  /// - Parameter parts: of one release on one segment.
  init(_ parts: [SummaryPart]) { columns = Dictionary(uniqueKeysWithValues: parts.map { ($0.number, $0) }) }

  private func column(_ number: Int64) -> [Int64] { columns[number]?.values ?? [] }

  /// nil where the columns are not as `parts` makes them.
  ///
  /// - Parameter risk: the table of risk of the same devices.
  func legs(at cutOff: Timestamp, _ risk: StoredIntervals) -> Legs? {
    let sums = column(SummaryPart.deliveries).map { Int($0) }
    guard sums.count == 1 + Trigger.allCases.count, let waiting else { return nil }
    var delivery = LifeTable.Builder()
    delivery.add(runs: column(SummaryPart.deliveryRuns).summed)
    delivery.add(risk.waiting)
    var (delivered, ended) = (LifeTable.Builder(), [Trigger: LifeTable.Builder]())
    for one in waiting {
      delivered.add(Interval.Waiting(origin: one.origin, silentAt: one.silentAt), at: cutOff)
      ended[one.trigger, default: .init()].add(
        Interval.Waiting(origin: one.readyAt, silentAt: one.silentAt), at: cutOff)
    }
    delivery.subtract(delivered)
    var legs = Legs(delivery: delivery, withoutDelivery: sums[0])
    for (trigger, count) in zip(Trigger.allCases, sums.dropFirst()) where count > 0 {
      var launch = ended[trigger] ?? LifeTable.Builder()
      launch.add(runs: column(SummaryPart.launchRuns + Int64(trigger.code)).summed)
      legs.add(trigger, delivered: count, launch)
    }
    return legs
  }

  private var waiting: [Legs.Waiting]? {
    let columns = (0..<4).map { column(SummaryPart.launchWaits + $0) }
    guard columns.allSatisfy({ $0.count == columns[0].count }) else { return nil }
    let triggers = columns[3].compactMap { Trigger(code: UInt8(truncatingIfNeeded: $0)) }
    guard triggers.count == columns[0].count else { return nil }
    return triggers.enumerated().map { place, trigger in
      let readyAt = columns[1][place]
      return Legs.Waiting(
        origin: readyAt - columns[0][place], readyAt: readyAt, silentAt: readyAt + columns[2][place], trigger: trigger)
    }
  }
}

extension LifeTable.Builder {
  /// The end of an interval that only a cutoff ends.
  fileprivate mutating func add(_ waiting: Interval.Waiting, at cutOff: Timestamp) {
    let (exit, reason) = waiting.ended(at: cutOff.rawValue)
    add(exit: exit, .censored(reason))
  }
}

// MARK: in a summary

/// What the numbers of these columns mean. Frozen: files that hold them are in the world.
extension SummaryPart {
  /// Updates without a delivery, then deliveries by trigger.
  static let deliveries: Int64 = 1000
  /// As differences.
  static let deliveryRuns: Int64 = 1001
  /// Of devices that wait for the launch: how long before the delivery their time at risk began, when that was, how long after it
  /// they fall silent, and the trigger.
  static let launchWaits: Int64 = 1002
  /// By the code of a trigger; as differences.
  static let launchRuns: Int64 = 1010
  /// About no release: the names of arms, in the order of their places.
  static let arms: Int64 = 1020
  /// Columns of a table of risk by the place of an arm, so many for each.
  static let armTables: Int64 = 1100
  static let armStride: Int64 = 20

  static let ofLegs: Range<Int64> = 1000..<moments
}

extension Legs {
  func parts(release: Int64, _ group: Group) -> [SummaryPart] {
    func part(_ number: Int64, _ values: [Int64]) -> SummaryPart { SummaryPart(release, group, number, values) }
    // What columns hold must not depend on which thread met which device.
    let waiting = (waiting ?? []).sorted()
    let sums = [withoutDelivery] + Trigger.allCases.map { delivered[$0] ?? 0 }
    let waits = [
      waiting.map { $0.readyAt - $0.origin }, waiting.map(\.readyAt), waiting.map { $0.silentAt - $0.readyAt },
      waiting.map { Int64($0.trigger.code) },
    ]
    return [
      part(SummaryPart.deliveries, sums.map(Int64.init)),
      part(SummaryPart.deliveryRuns, delivery.build().runs.differences),
    ] + waits.enumerated().map { part(SummaryPart.launchWaits + Int64($0), $1) }
      + launches.sorted { $0.key.code < $1.key.code }.map { trigger, launch in
        part(SummaryPart.launchRuns + Int64(trigger.code), launch.build().runs.differences)
      }
  }
}

extension [Int64] {
  /// Of ascending numbers: they take less room.
  var differences: [Int64] { zip(self, [0] + self).map { $0 - $1 } }
  var summed: [Int64] {
    var sum: Int64 = 0
    return map { difference in
      sum += difference
      return sum
    }
  }
}
