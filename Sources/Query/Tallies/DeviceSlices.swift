import Lifecycle
import Store

/// What devices are kept apart by, and which are left out, by what they say of themselves; as small numbers.
struct DeviceSlices {
  let field: ProfileField?
  /// One, without a name, where nothing is kept apart.
  let names: [String?]
  private let column: DeviceColumn?
  private let filters: [(column: DeviceColumn, isWanted: [Bool])]
  private let isPlain: Bool

  init(_ profiles: ProfileTable, by field: ProfileField?, only: [ProfileFilter]) {
    self.field = field
    column = field.map(profiles.column)
    names = column?.names ?? [nil]
    filters = only.map { filter in
      let column = profiles.column(filter.field)
      return (column: column, isWanted: column.names.map { filter.values.contains($0 ?? Group.unnamed) })
    }
    isPlain = column == nil && filters.isEmpty
  }

  init(_ profiles: ProfileTable, _ selection: Selection) {
    self.init(profiles, by: selection.slice, only: selection.only)
  }

  /// Where devices are left out, below 0.
  static let leftOut = -1

  var count: Int { names.count }
  /// What has to be read of devices for it.
  var needs: DeviceColumns { filters.reduce(column?.needs ?? []) { $0.union($1.column.needs) } }
  var leavesAnyOut: Bool { !filters.isEmpty }

  /// The number of a device as of an instant.
  ///
  /// - Parameter network: of the event that is looked at, where it is about one.
  @inline(__always)
  func number(_ devices: DeviceOutlines, _ index: Int, at instant: Int64, network: Network = []) -> Int {
    isPlain ? 0 : lookedUp(devices, index, at: instant, network)
  }

  private func lookedUp(_ devices: DeviceOutlines, _ index: Int, at instant: Int64, _ network: Network) -> Int {
    for filter in filters
    where !filter.isWanted[filter.column.number(devices, index, at: instant, network: network)] {
      return Self.leftOut
    }
    return column?.number(devices, index, at: instant, network: network) ?? 0
  }

  func name(_ number: Int) -> Group.Slice? { field.map { Group.Slice($0, names[number]) } }
}

extension Selection {
  /// What the answer is split by of all that devices say of themselves: one thing at a time.
  var slice: ProfileField? { by.lazy.compactMap(\.field).first }
}
