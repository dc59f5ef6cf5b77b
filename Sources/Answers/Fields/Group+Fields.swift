internal import Query

/// What `group` means, in rows and where they are withheld.
let groupHelp = "The names of the group, as far as --by splits"

/// A row about some of the devices. Its table has a column for each name that the answer is split by.
protocol Grouped {
  associatedtype Names: GroupNames
  var group: Names { get }
  /// Those of the row, by what it is split by.
  var names: [String: String] { get }
}

extension Grouped {
  var names: [String: String] { group.byName }
}

protocol GroupNames: Shaped {
  var byName: [String: String] { get }
}

extension Group: GroupNames {
  var byName: [String: String] { Dictionary(uniqueKeysWithValues: parts.map { ($0.name, $0.value) }) }
}

extension Labels: GroupNames {
  var byName: [String: String] { parts }
}

extension Field where Row: Grouped {
  static var group: Field { Field("group", \.group, groupHelp) }
}

extension Counted: Grouped {}

extension RiskCounts {
  /// The counts beside every estimate of a group.
  static let fields: [Field<RiskCounts>] = [
    Field("devices", \.devices, "Devices with time at risk; one that moved to another channel counts in each"),
    Field("events", \.events, "Updates"),
    Field("observedShare", \.observedShare, "events of devices: counted, not estimated; null where there are none"),
    Field("eventsByMechanism", \.eventsByMechanism, "Updates by the trigger that is credited"),
    Field("newerRelease", \.newerRelease, "Devices that went to a newer release, where that competes"),
    Field("censored", \.censored, "Intervals at risk that ended without an update"),
    Field("censoredBy", \.censoredBy, "Those by why they ended: cutOff, silent, switched, superseded"),
    Field("intervals", \.intervals, "Intervals at risk; more than devices where some went silent and came back"),
    Field("lateEntries", \.lateEntries, "Intervals that began after time 0"),
    Field("excluded", \.excluded, "Devices without time at risk, by reason"),
    Field("remarks", \.remarks, "Devices that a reader should know of, by remark"),
  ]
}
