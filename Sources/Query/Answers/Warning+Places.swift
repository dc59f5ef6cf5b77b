internal import Console
import Lifecycle
import Store

/// Two releases that are held against each other should be of the same devices: where one came to a channel or a platform that the other has
/// no device on, part of what lies between them is those devices.
func placesWarning(
  _ tables: RiskTables, of release: ReleaseRecord, _ others: RiskTables, of other: ReleaseRecord,
  by groupings: [Grouping]
) -> [Warning] {
  let parts: [(Grouping, KeyPath<Group, String?>)] = [(.channel, \.channel), (.platform, \.platform)]
  return parts.filter { !groupings.contains($0.0) }.compactMap { grouping, part in
    let (own, their) = (tables.devices(by: part), others.devices(by: part))
    let lacks = [(other, their.missing(in: own), release), (release, own.missing(in: their), other)]
    let apart = lacks.filter { !$0.1.isEmpty }.map { one, names, lacking in
      "\(named(one.label.rawValue)) has devices on \(names.map(named).joined(separator: ", ")), \(named(lacking.label.rawValue)) none there"
    }
    guard !own.isEmpty, !their.isEmpty, !apart.isEmpty else { return nil }
    let both = Set(own.keys).intersection(their.keys).sorted().joined(separator: ",")
    return Warning(
      "populations_differ",
      apart.joined(separator: "; ") + ": part of the difference is those devices"
        + (both.isEmpty ? "" : "; ask with --\(grouping.rawValue) \(both)"))
  }
}

extension RiskTables {
  /// With time at risk, by channel or by platform.
  fileprivate func devices(by part: KeyPath<Group, String?>) -> [String: Int] {
    var found: [String: Int] = [:]
    for (group, cell) in cells where cell.sums.devices > 0 {
      found[group[keyPath: part] ?? Group.unnamed, default: 0] += cell.sums.devices
    }
    return found
  }
}

extension [String: Int] {
  /// Those with one device in a hundred at least, and none there.
  fileprivate func missing(in other: Self) -> [String] {
    let all = values.reduce(0, +)
    return filter { $0.value * 100 >= all && other[$0.key] == nil }.keys.sorted()
  }
}
