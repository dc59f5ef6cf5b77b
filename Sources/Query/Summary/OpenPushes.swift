import Lifecycle
import Statistics
import Store

/// What another cutoff changes of a `PushTally` that is not split: pushes that are younger than the horizon, each with what its
/// device has beside it. Since when pushes wait lies in the counts. Exact for every cutoff after the newest fact. Tested in
/// `SummaryTests`.
struct OpenPushes {
  var facts = OpenFacts()
  private(set) var devices: [Device] = []

  struct Device {
    var rates: DevicePushRates
    var young: [Young]

    fileprivate var numbers: [Int64] { young.map(\.rawValue) + rates.stored }
  }

  /// An accepted push that may not be mature.
  struct Young: RawRepresentable {
    /// `sent << 9`, whether it names a release, the number of its last state in 3 bits, of its class by those before in 3 bits,
    /// whether it is credited, and whether the app ran afterwards.
    let rawValue: Int64
    var sent: Timestamp { Timestamp(rawValue: rawValue >> 9) }
    var isNamed: Bool { rawValue & 256 == 256 }
    var last: PushState? { PushState.allCases.first { $0.number == Int(rawValue >> 5 & 7) } }
    var row: Int { Int(rawValue >> 2 & 7) }
    var isCredited: Bool { rawValue & 2 == 2 }
    var ranAfterwards: Bool { rawValue & 1 == 1 }

    init(rawValue: Int64) { self.rawValue = rawValue }
    init(_ one: JudgedPush, _ last: PushState) {
      let row = PushCounts.throttleClass(one.push.before)
      rawValue =
        one.push.sent.rawValue << 9 | (one.push.isNamed ? 256 : 0) | Int64(last.number) << 5 | Int64(row) << 2
        | (one.isCredited ? 2 : 0) | (one.ranAfterwards ? 1 : 0)
    }
  }

  /// - Parameter rates: of the same pushes.
  mutating func add(_ judged: [JudgedPush], _ rates: DevicePushRates) {
    let young = judged.compactMap { one in
      one.push.isRejected ? nil : one.last.map { Young(one, $0) }
    }
    if !young.isEmpty { devices.append(Device(rates: rates, young: young)) }
  }

  mutating func add(_ other: OpenPushes) {
    facts.add(other.facts)
    devices += other.devices
  }
}

/// What a summary keeps of all pushes.
struct KeptPushes {
  let newestFact: Timestamp
  let channels: Set<String>
  private let counts: PushCounts
  private let arrival, update: [Int64]
  private let open: [OpenPushes.Device]

  func counts(at cutOff: Timestamp, _ horizon: Milliseconds) -> PushCounts {
    var counts = counts
    counts.end(at: cutOff, arrival: arrival, update: update)
    for device in open {
      let mature = device.young.filter { cutOff - $0.sent >= horizon }
      if mature.isEmpty { continue }
      counts.add(device.rates, times: -1)
      var rates = device.rates
      for push in mature {
        guard let last = push.last else { continue }
        counts.mature(last, sent: push.sent, ranAfterwards: push.ranAfterwards)
        rates.add(last, row: push.row, isNamed: push.isNamed, isCredited: push.isCredited)
      }
      counts.add(rates, times: 1)
    }
    return counts
  }
}

// MARK: in a summary

/// What the numbers of these columns mean, all about no release. Frozen: files that hold them are in the world.
extension SummaryPart {
  /// The newest fact, then all that is no list.
  static let pushes: Int64 = 220
  /// The channels of all facts.
  static let pushChannels: Int64 = 221
  /// So many pushes, and in how many hours.
  static let pushHours: Int64 = 222
  /// Until the arrival and until the update: runs, as differences; and since when pushes wait.
  static let pushTimes: Int64 = 224
  /// By device: what rates count, how many pushes are young; and these.
  static let youngPushes: Int64 = 228

  static let ofPushes: Range<Int64> = 220..<240
  static let ofPushCounts: Range<Int64> = 220..<221
}

extension OpenPushes {
  func parts(_ counts: PushCounts, _ vocabulary: Vocabulary) -> [SummaryPart] {
    // What columns hold must not depend on which thread met which device.
    let devices = devices.sorted { $0.numbers.lexicographicallyPrecedes($1.numbers) }
    let (hours, waiting) = (counts.deviceHours.byPushes.sorted { $0.key < $1.key }, counts.waiting ?? ([], []))
    let columns: [(Int64, [Int64])] = [
      (SummaryPart.pushes, [facts.newest?.rawValue ?? .min / 2] + counts.stored),
      (SummaryPart.pushHours, hours.map { Int64($0.key) }),
      (SummaryPart.pushHours + 1, hours.map { Int64($0.value) }),
      (SummaryPart.pushTimes, counts.latency.build().runs.differences),
      (SummaryPart.pushTimes + 1, counts.untilApplied.build().runs.differences),
      (SummaryPart.pushTimes + 2, waiting.arrival.sorted()), (SummaryPart.pushTimes + 3, waiting.update.sorted()),
      (SummaryPart.youngPushes, devices.flatMap(\.rates.stored)),
      (SummaryPart.youngPushes + 1, devices.map { Int64($0.young.count) }),
      (SummaryPart.youngPushes + 2, devices.flatMap { $0.young.map(\.rawValue) }),
    ]
    return SummaryPart.parts(names: facts.channels.map(vocabulary.name).sorted(), SummaryPart.pushChannels)
      + columns.map { SummaryPart(0, Group(channel: ""), $0, $1) }
  }
}

extension KeptPushes {
  /// Of the column that is no list; what was sent, refused and received does not depend on the cutoff. nil where it is not as `OpenPushes` makes it.
  static func counts(_ parts: [SummaryPart]) -> PushCounts? {
    parts.first { $0.number == SummaryPart.pushes }.flatMap { PushCounts(stored: Array($0.values.dropFirst())) }
  }

  /// nil where the columns are not as `OpenPushes` makes them.
  init?(_ parts: [SummaryPart]) {
    let columns = Dictionary(uniqueKeysWithValues: parts.map { ($0.number, $0) })
    func column(_ number: Int64) -> [Int64] { columns[number]?.values ?? [] }
    let sums = column(SummaryPart.pushes)
    guard let newest = sums.first, var counts = PushCounts(stored: Array(sums.dropFirst())),
      let open = OpenPushes.Device.list((0..<3).map { column(SummaryPart.youngPushes + $0) })
    else { return nil }
    counts.deviceHours = HourCounts(
      zip(column(SummaryPart.pushHours), column(SummaryPart.pushHours + 1)).map { ($0, Int($1)) })
    counts.latency.add(runs: column(SummaryPart.pushTimes).summed)
    counts.untilApplied.add(runs: column(SummaryPart.pushTimes + 1).summed)
    (newestFact, self.counts, self.open) = (Timestamp(rawValue: newest), counts, open)
    (arrival, update) = (column(SummaryPart.pushTimes + 2), column(SummaryPart.pushTimes + 3))
    channels = Set(SummaryPart.names(parts, SummaryPart.pushChannels))
  }
}

extension OpenPushes.Device {
  /// - Parameter columns: as `OpenPushes` makes them.
  fileprivate static func list(_ columns: [[Int64]]) -> [Self]? {
    let length = DevicePushRates.storedCount
    guard columns[0].count == columns[1].count * length, columns[1].allSatisfy({ $0 >= 0 }),
      columns[1].reduce(0, { $0 &+ $1 }) == columns[2].count
    else { return nil }
    var rest = columns[2][...]
    return columns[1].enumerated().map { place, count in
      defer { rest = rest.dropFirst(Int(count)) }
      return Self(
        rates: DevicePushRates(stored: columns[0][(place * length)...].prefix(length)),
        young: rest.prefix(Int(count)).map(OpenPushes.Young.init))
    }
  }
}
