import Lifecycle
import Statistics
import Store

/// What is counted for the comparison of mechanisms.
struct MechanismSums {
  let tables: RiskTables
  private let legs: [Group: Legs]
  /// Cells apart by arm; devices that name none are in none of the arms.
  private let armCells: [Group: RiskCell]
  private let by: [Grouping]
  let fleet: WaysOfDelivery

  init(_ risk: RiskCounting.Sum, by: [Grouping], _ fleet: WaysOfDelivery) {
    (self.by, self.fleet) = (by, fleet)
    var (legs, armCells) = ([Group: Legs](), [Group: RiskCell]())
    for (key, counter) in risk.counters {
      legs[key.group.split(by: by), default: Legs()].add(counter.legs ?? Legs())
      if key.group.arm != nil { armCells[key.group] = counter.cell }
    }
    if let stored = risk.stored {
      for (place, more) in stored.legs { legs[place.split(by: by), default: Legs()].add(more) }
      armCells = stored.arms
    }
    (self.legs, self.armCells) = (legs, armCells)
    tables = risk.tables[0].withoutArms
  }

  func legs(_ group: Group) -> Legs { legs[group] ?? Legs() }

  /// How many devices of a group named their arm too late to be in it.
  func lateForArms(_ group: Group) -> Int {
    armCells.filter { $0.key.arm == Group.lateArm && $0.key.split(by: by) == group }.reduce(0) { $0 + $1.value.devices }
  }

  /// Devices of hold-outs of a group, and how many of them a silent push brought the release all the same. Of an arm that is called
  /// control nobody knows what is held back.
  func holdOuts(_ group: Group) -> (devices: Int, pushed: Int) {
    let cells = armCells.filter { place, _ in
      place.split(by: by) == group && place.arm.map(Experiment.isHoldOut) ?? false
    }.map { RiskTable.merged([$0.value]) }
    return (
      cells.reduce(0) { $0 + $1.devices },
      cells.reduce(0) { $0 + Int($1.table.events(Trigger.silentPush.cause)) }
    )
  }

  /// The arms of a group, in order of name, each with its tables by platform.
  func arms(_ group: Group) -> [(arm: String, cells: [(platform: String, cell: RiskTable)])] {
    var arms: [String: [String: [RiskCell]]] = [:]
    for (place, cell) in armCells where place.split(by: by) == group && place.arm != Group.lateArm {
      arms[place.arm ?? "", default: [:]][place.platform ?? Group.unnamed, default: []].append(cell)
    }
    return arms.sorted { $0.key < $1.key }.map { arm, platforms in
      let ordered = platforms.sorted { $0.key < $1.key }
      return (arm, ordered.map { (platform: $0.key, cell: RiskTable.merged($0.value)) })
    }
  }
}
