import Lifecycle
import Store

/// What devices are kept apart by, and which are left out, by what they say of themselves; as one number.
///
/// Of several fields the number is that of a combination of their values. There may be far more of these than of devices:
/// what is counted of each is kept by `MetNumbers`.
struct DeviceSlices {
  static let most = 3
  let fields: [ProfileField]
  private let columns: [DeviceColumn]
  private let filters: [(column: DeviceColumn, isWanted: [Bool])]
  private let isPlain: Bool

  init(_ profiles: ProfileTable, by fields: [ProfileField], only: [ProfileFilter]) {
    self.fields = Array(fields.prefix(Self.most))
    columns = self.fields.map(profiles.column)
    filters = only.map { filter in
      let column = profiles.column(filter.field)
      return (column: column, isWanted: column.names.map { filter.values.contains($0 ?? Group.unnamed) })
    }
    isPlain = columns.isEmpty && filters.isEmpty
  }

  init(_ profiles: ProfileTable, _ selection: Selection) {
    self.init(profiles, by: selection.slices, only: selection.only)
  }

  /// Where devices are left out, below 0.
  static let leftOut = -1

  /// One where nothing is kept apart.
  var count: Int { columns.reduce(1) { $0 * $1.names.count } }
  /// What has to be read of devices for it.
  var needs: DeviceColumns {
    columns.reduce(filters.reduce([]) { $0.union($1.column.needs) }) { $0.union($1.needs) }
  }
  var leavesAnyOut: Bool { !filters.isEmpty }

  /// The number of a device as of an instant.
  ///
  /// - Parameter network: of the event that is looked at, where it is about one.
  @inline(__always)
  func number(_ devices: DeviceOutlines, _ index: Int, at instant: Int64, network: Network = []) -> Int {
    isPlain ? 0 : lookedUp(devices, index, at: instant, network)
  }

  /// The number of a device by what it had said by an instant; nobody is left out.
  func number(_ devices: DeviceOutlines, _ index: Int, saidBy instant: Int64) -> Int {
    columns.reduce(0) { $0 * $1.names.count + $1.number(devices, index, saidBy: instant) }
  }

  private func lookedUp(_ devices: DeviceOutlines, _ index: Int, at instant: Int64, _ network: Network) -> Int {
    for filter in filters
    where !filter.isWanted[filter.column.number(devices, index, at: instant, network: network)] {
      return Self.leftOut
    }
    var number = 0
    for column in columns {
      number = number * column.names.count + column.number(devices, index, at: instant, network: network)
    }
    return number
  }

  /// What a number stands for, in the order of the fields.
  func values(_ number: Int) -> [Group.Slice] {
    var (rest, slices) = (number, [Group.Slice]())
    for (field, column) in zip(fields, columns).reversed() {
      slices.append(Group.Slice(field, column.names[rest % column.names.count]))
      rest /= column.names.count
    }
    return slices.reversed()
  }
}

extension Selection {
  /// What the answer is split by of all that devices say of themselves; in order of name, whichever was asked for first.
  var slices: [ProfileField] { Set(by.compactMap(\.field)).sorted { $0.rawValue < $1.rawValue } }
}
