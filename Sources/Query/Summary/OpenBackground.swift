import Lifecycle
import Store

/// What another cutoff changes of a `BackgroundTally`: pushes that are younger than the horizon and refreshes that may still
/// be running, each with what its device has beside it, because rates count by device.
///
/// Exact for every cutoff after the newest fact: pushes are known from servers, and may be newer than any contact.
/// Tested in `SummaryTests`.
struct OpenBackground {
  /// Later than any fact.
  static let endOfTime = Timestamp(rawValue: 1 << 52)
  private(set) var facts = OpenFacts()
  /// Of devices that have any.
  private(set) var pushes: [DevicePushes] = []
  private(set) var refreshes: [DeviceRefreshes] = []

  mutating func note(_ facts: [WakeFact]) { self.facts.note(facts) }
  mutating func add(_ device: DevicePushes) { if !device.young.isEmpty { pushes.append(device) } }
  mutating func add(_ device: DeviceRefreshes) { if !device.young.isEmpty { refreshes.append(device) } }

  mutating func add(_ other: OpenBackground) {
    facts.add(other.facts)
    pushes += other.pushes
    refreshes += other.refreshes
  }
}

/// Which cutoffs and channels a count of facts holds for.
struct OpenFacts {
  private(set) var newest: Timestamp?
  /// Their numbers.
  private(set) var channels: Set<Int64> = []
  private var recent: Int64?

  /// - Parameter facts: of one device, in order of time.
  mutating func note(_ facts: [WakeFact]) {
    if let last = facts.last { newest = max(newest ?? last.at, last.at) }
    for fact in facts where fact.channel != recent {
      recent = fact.channel
      channels.insert(fact.channel)
    }
  }

  mutating func add(_ other: OpenFacts) {
    if let last = other.newest { newest = max(newest ?? last, last) }
    channels.formUnion(other.channels)
  }
}

// MARK: in a summary

/// What the numbers of these columns mean, all about no release. Frozen: files that hold them are in the world.
extension SummaryPart {
  /// The newest fact; then the sums of lost pushes and of overruns.
  static let background: Int64 = 160
  /// The channels of all facts.
  static let factChannels: Int64 = 161
  /// Between refreshes, in seconds; and how many.
  static let intervalLengths: Int64 = 172
  static let intervalCounts: Int64 = 173
  /// How many refreshes report their end.
  static let reportedEnds: Int64 = 174
  /// By device: lost, all, how many are young; and these.
  static let openPushes: Int64 = 163
  /// By device: overran, all, how many are young; these, and their intervals.
  static let openRefreshes: Int64 = 167

  static let ofBackground: Range<Int64> = 160..<200
}

extension OpenBackground {
  /// A tally as a summary keeps it.
  struct Kept {
    let newestFact: Timestamp
    let channels: Set<String>
    let sums: BackgroundSums
    let open: OpenBackground
  }
}

extension BackgroundTally {
  func parts(_ vocabulary: Vocabulary) -> [SummaryPart] {
    guard let open else { return [] }
    let (lengths, pushes, refreshes) = (sums.intervals.lengths, open.pushes.sorted(), open.refreshes.sorted())
    let newest = open.facts.newest?.rawValue ?? .min / 2
    let columns: [(Int64, [[Int64]])] = [
      (SummaryPart.background, [[newest] + sums.lost.stored + sums.overrun.stored]),
      (SummaryPart.intervalLengths, [lengths.map(\.seconds), lengths.map { Int64($0.count) }]),
      (SummaryPart.reportedEnds, [[Int64(sums.ended)]]),
      (
        SummaryPart.openPushes,
        [
          pushes.map { Int64($0.lost) }, pushes.map { Int64($0.all) }, pushes.map { Int64($0.young.count) },
          pushes.flatMap(\.young),
        ]
      ),
      (
        SummaryPart.openRefreshes,
        [
          refreshes.map { Int64($0.overran) }, refreshes.map { Int64($0.all) },
          refreshes.map { Int64($0.young.count) }, refreshes.flatMap(\.young), refreshes.flatMap(\.intervals),
        ]
      ),
    ]
    let channels = open.facts.channels.map(vocabulary.name).sorted()
    return SummaryPart.parts(names: channels, SummaryPart.factChannels)
      + columns.flatMap { first, columns in
        columns.enumerated().map { SummaryPart(0, Group(channel: ""), first + Int64($0), $1) }
      }
  }
}

extension OpenBackground.Kept {
  /// nil where the columns are not as `parts` makes them.
  ///
  /// - Parameter pushes: as `KeptPushes` tells them.
  init?(_ parts: [SummaryPart], pushes told: PushCounts) {
    let columns = Dictionary(uniqueKeysWithValues: parts.map { ($0.number, $0) })
    func column(_ number: Int64) -> [Int64] { columns[number]?.values ?? [] }
    let sums = column(SummaryPart.background)
    guard sums.count == 1 + 2 * RateSums.storedCount, let ended = column(SummaryPart.reportedEnds).first,
      let lost = RateSums(stored: sums.dropFirst().prefix(RateSums.storedCount)),
      let overrun = RateSums(stored: sums.suffix(RateSums.storedCount)),
      let pushes = DevicePushes.list((0..<4).map { column(SummaryPart.openPushes + $0) }),
      let refreshes = DeviceRefreshes.list((0..<5).map { column(SummaryPart.openRefreshes + $0) })
    else { return nil }
    let intervals = IntervalCounts(
      lengths: zip(column(SummaryPart.intervalLengths), column(SummaryPart.intervalCounts)).map {
        (seconds: $0, count: Int($1))
      })
    newestFact = Timestamp(rawValue: sums[0])
    self.sums = BackgroundSums(
      lost: lost, sent: told.sent, rejected: told.rejected, receipts: told.receipts, overrun: overrun,
      ended: Int(ended), intervals: intervals)
    channels = Set(SummaryPart.names(parts, SummaryPart.factChannels))
    open = OpenBackground(pushes, refreshes)
  }
}

extension OpenBackground {
  fileprivate init(_ pushes: [DevicePushes], _ refreshes: [DeviceRefreshes]) {
    (self.pushes, self.refreshes) = (pushes, refreshes)
  }
}

/// Of each device its place and where its young ones lie; nil where columns do not fit each other.
///
/// - Parameter columns: two of counts, how many are young, and these.
func youngSlices(_ columns: [[Int64]]) -> [(device: Int, young: Range<Int>)]? {
  let devices = columns[0].count
  guard columns[1].count == devices, columns[2].count == devices, columns[2].allSatisfy({ $0 >= 0 }),
    columns[2].reduce(0, { $0 &+ $1 }) == columns[3].count
  else { return nil }
  var first = 0
  return columns[2].enumerated().map { device, count in
    defer { first += Int(count) }
    return (device, first..<first + Int(count))
  }
}
