import Lifecycle
import Store

/// What an open summary keeps of reach, and of which devices a question looks at the rest by itself.
struct OpenReachTally: Tally {
  private(set) var history: ReachHistoryTally
  /// Devices of which more is known beyond the cutoff than that they are still there, or whose next contact may tell something of the past.
  private(set) var unsettled: [UInt64] = []
  private var sweep = ReachSweep()
  private let since: Int64

  init(_ question: ReachHistoryCounting) {
    (history, since) = (question.start, question.since.rawValue)
  }

  mutating func count(_ page: borrowing ShardPage) throws { try count(page, oneByOne: false) }

  /// - Parameter oneByOne: of a page of few devices, whose runs are read one by one.
  mutating func count(_ page: borrowing ShardPage, oneByOne: Bool) throws {
    if oneByOne { try history.count(page, oneByOne: true) } else { try history.count(page) }
    unsettled += Settling(at: since, published: [:]).late(page).values.flatMap(\.self)
    defer { sweep.end() }
    if !oneByOne { sweep.begin(try page.runs()) }
    for index in page.devices.devices.indices where !page.emulators[index] {
      if oneByOne { sweep.begin(try page.runs(of: index)) }
      if !isSettled(page.devices, index) { unsettled.append(page.devices.devices[index]) }
    }
  }

  private mutating func isSettled(_ devices: DeviceOutlines, _ index: Int) -> Bool {
    guard let last = devices.lastContact(index) else { return sweep.ends(index, before: since) }
    if devices.bucket(index, until: .max) != devices.bucket(index, until: since - 1) { return false }
    sweep.load(index, from: since, until: .max)
    guard let release = sweep.releaseToStay(from: since) else { return false }
    return !sweep.mayGoBack(heardOf: last, to: release)
  }

  mutating func add(_ other: OpenReachTally, times: Int) {
    history.add(other.history, times: times)
    unsettled += other.unsettled
  }

  var parts: [SummaryPart] {
    let list = Set(unsettled).sorted().map(Int64.init(bitPattern:))
    return history.parts + [SummaryPart(0, Group(channel: ""), SummaryPart.reachUnsettled, list)]
  }
}
