import Lifecycle

/// Contacts of a shard's devices that are not folded, a device at a time: what was known when they were summarised, and what was heard since.
struct HeardContacts {
  private let known, later: ArraySlice<DeviceFact>
  /// Those of the device at hand, in order of arrival.
  private var before, since: Range<Int>

  /// - Parameters:
  ///   - known: in order of device; so are those that came later.
  init(_ known: ArraySlice<DeviceFact>, _ later: ArraySlice<DeviceFact>) {
    (self.known, self.later) = (known, later)
    (before, since) = (known.startIndex..<known.startIndex, later.startIndex..<later.startIndex)
  }

  /// - Parameter device: after the one at hand.
  mutating func goOn(to device: UInt64) {
    before = Self.range(of: device, known, from: before.upperBound)
    since = Self.range(of: device, later, from: since.upperBound)
  }

  private static func range(of device: UInt64, _ list: ArraySlice<DeviceFact>, from start: Int) -> Range<Int> {
    var first = start
    while first < list.endIndex, list[first].device < device { first += 1 }
    var end = first
    while end < list.endIndex, list[end].device == device { end += 1 }
    return first..<end
  }

  var isEmpty: Bool { before.isEmpty && since.isEmpty }

  /// When the last one was that was known, and the last one since.
  var last: (known: Int64?, since: Int64?) {
    (before.lazy.map { known[$0].at.rawValue }.max(), since.lazy.map { later[$0].at.rawValue }.max())
  }

  /// Whether something came late: from before what was known.
  var isOvertaken: Bool {
    guard !before.isEmpty, !since.isEmpty else { return false }
    let last = before.reduce(Int64.min) { max($0, known[$1].at.rawValue) }
    return since.contains { later[$0].at.rawValue < last }
  }

  /// The known ones of before an instant, in order of time.
  func known(before instant: Int64) -> [DeviceFact] {
    known[before].filter { $0.at.rawValue < instant }.sorted { $0.at < $1.at }
  }

  /// All in order of time, but the known ones first.
  var inOrder: [DeviceFact] { known[before].sorted { $0.at < $1.at } + later[since].sorted { $0.at < $1.at } }

  func areAll(after instant: Int64) -> Bool {
    before.allSatisfy { known[$0].at.rawValue > instant } && since.allSatisfy { later[$0].at.rawValue > instant }
  }

  /// Whether something holds of all, which are shown in order of time, but the known ones first.
  @inline(__always)
  func allSatisfy(_ holds: (DeviceFact) -> Bool) -> Bool {
    Self.allSatisfy(before, known, holds) && Self.allSatisfy(since, later, holds)
  }

  @inline(__always)
  private static func allSatisfy(
    _ range: Range<Int>, _ list: ArraySlice<DeviceFact>, _ holds: (DeviceFact) -> Bool
  ) -> Bool {
    let areInOrder = range.dropFirst().allSatisfy { list[$0 - 1].at <= list[$0].at }
    if areInOrder { return range.allSatisfy { holds(list[$0]) } }
    return list[range].sorted { $0.at < $1.at }.allSatisfy(holds)
  }
}
