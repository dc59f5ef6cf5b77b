import Lifecycle
public import Statistics
import Store

/// The counts that every estimate of a group rests on.
public struct RiskCounts: Encodable, Sendable {
  /// Devices with time at risk (spells: one that moved to another channel counts in each).
  public var devices: Int
  public var events: Int
  /// Events of devices: counted, not estimated. Who became eligible an hour ago counts like who did a week ago.
  @Nullable public var observedShare: Double?
  /// Why it is not the share of all that may have the release: `clockFromOffer` where it is of those alone that were offered it.
  @Nullable public var observedReason: Unestimable?
  public var eventsByMechanism: [String: Int]
  /// Devices that a newer release reached first, where that is a competing cause.
  public var newerRelease: Int
  public var censored: Int
  public var censoredBy: [String: Int]
  /// Intervals at risk; more than devices where devices went silent and came back.
  public var intervals: Int
  public var lateEntries: Int
  public var excluded: [String: Int]
  public var remarks: [String: Int]

  public init(_ cell: RiskTable) {
    let table = cell.table
    devices = cell.devices
    eventsByMechanism = Dictionary(
      uniqueKeysWithValues: Trigger.allCases.map { ($0.rawValue, Int(table.events($0.cause))) })
    events = eventsByMechanism.values.reduce(0, +)
    observedShare = Proportion.observed(events, of: devices)
    observedReason = table.doubt
    newerRelease = Int(table.events(.newerRelease))
    censoredBy = table.censoredBy
    censored = censoredBy.values.reduce(0, +)
    intervals = Int(table.intervals)
    lateEntries = Int(table.enteredLate)
    excluded = Dictionary(uniqueKeysWithValues: cell.excluded.map { ($0.key.rawValue, $0.value) })
    remarks = Dictionary(uniqueKeysWithValues: cell.remarks.map { ($0.key.rawValue, $0.value) })
  }
}

extension LifeTable {
  /// A halt is named where there was one: few rollouts have any.
  fileprivate var censoredBy: [String: Int] {
    let counts = Censoring.allCases.map { ($0, Int(censored($0))) }.filter { $0 != .halted || $1 > 0 }
    return Dictionary(uniqueKeysWithValues: counts.map { ($0.rawValue, $1) })
  }
}

extension Proportion {
  /// nil where nobody was eligible.
  static func observed(_ events: Int, of devices: Int) -> Double? {
    devices > 0 ? Double(events) / Double(devices) : nil
  }
}

extension Group: Encodable {
  /// Only the parts that the answer is split by.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: TextKey.self)
    for (name, value) in parts { try container.encode(value, forKey: TextKey(name)) }
  }

  /// The parts that are set, by name.
  public var parts: [(name: String, value: String)] {
    let parts = [("channel", channel), ("platform", platform)] + slices.map { ($0.field.rawValue, $0.value) }
    return (parts + [("arm", arm)]).compactMap { name, value in value.map { (name: name, value: $0) } }
  }

  /// What stands for a property that the device never named.
  public static let unnamed = "unknown"

  /// The group's parts reduced to those an answer is split by.
  func split(by groupings: [Grouping]) -> Group {
    Group(
      channel: groupings.contains(.channel) ? channel ?? Self.unnamed : nil,
      platform: groupings.contains(.platform) ? platform ?? Self.unnamed : nil,
      slices: slices.filter { groupings.contains(.slice($0.field)) }.map { Slice($0.field, $0.value ?? Self.unnamed) })
  }
}

extension RiskTables {
  /// The cells merged into the groups asked for, in order of their names. Without any grouping there is one group.
  public func groups(by groupings: [Grouping]) -> [(group: Group, cell: RiskTable)] {
    onAllCores(parts(by: groupings)) { group, cells in (group: group, cell: RiskTable.merged(cells)) }
  }

  /// The same before they are merged.
  func parts(by groupings: [Grouping]) -> [(group: Group, cells: [RiskCell])] {
    guard !cells.isEmpty else { return groupings.allSatisfy { $0 == .mechanism } ? [(Group(), [])] : [] }
    return Dictionary(grouping: cells) { $0.key.split(by: groupings) }.sorted { $0.key < $1.key }.map { group, cells in
      (group: group, cells: cells.map(\.value))
    }
  }
}

extension Group.Slice {
  /// Numbers in the order of numbers.
  fileprivate var order: String { value.map { Labels.order($0, in: field.rawValue) } ?? "" }
}

extension Group: Comparable {
  private var order: [String] { [channel ?? "", platform ?? ""] + slices.map(\.order) + [arm ?? ""] }

  public static func < (left: Group, right: Group) -> Bool {
    left.order.lexicographicallyPrecedes(right.order)
  }
}
