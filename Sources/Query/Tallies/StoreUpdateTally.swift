import Lifecycle
import Store

/// What is asked about devices that took a release and run a build from the store since, the same for every shard.
final class StoreUpdateCounting: Counting {
  let selection: Selection
  let target: Int64
  let cutOff: Timestamp
  let builds: Set<Int64>
  private let part: ChannelPart

  /// - Parameters:
  ///   - chosen: on one channel.
  ///   - builds: from the store.
  init(_ vocabulary: Vocabulary, _ chosen: ReleaseScope, _ channel: String, _ cutOff: Timestamp, _ builds: Set<Int64>) {
    (selection, target, self.cutOff, self.builds) = (chosen.selection, chosen.target.id, cutOff, builds)
    part = ChannelPart(vocabulary, chosen.selection, channel)
  }

  var channel: Int64? { part.channel }
  func includes(_ index: Int, _ page: borrowing ShardPage) -> Bool { part.includes(index, page, at: cutOff) }

  var need: Need {
    Need(
      app: selection.app, selection.population,
      journeys: [target: JourneyColumns(LateHarmTally.launches + [.rolledBack])], devices: part.needs.union(.runs))
  }
  var start: StoreUpdateTally { StoreUpdateTally(self) }

  func covers(_ other: StoreUpdateCounting) -> Bool {
    (target, channel, cutOff, builds) == (other.target, other.channel, other.cutOff, other.builds)
      && selection == other.selection
  }
}

/// How many devices that launched a release run a build from the store now, and are known to have run another one before the launch, and this
/// one never: they did not go back, the store has updated the app since.
struct StoreUpdateTally: Tally {
  private(set) var devices = 0
  private let question: StoreUpdateCounting

  init(_ question: StoreUpdateCounting) { self.question = question }

  mutating func count(_ page: borrowing ShardPage) throws {
    guard let channel = question.channel else { return }
    let (runs, cutOff) = (try page.runs(), question.cutOff.rawValue)
    let journeys = page.journeys(question.target, channel)
    var (takings, rollbacks) = (Takings(journeys, LateHarmTally.launches), Takings(journeys, [.rolledBack]))
    for (index, device) in page.devices.devices.enumerated() {
      guard let taken = takings.first(device), taken <= cutOff, question.includes(index, page),
        rollbacks.first(device) == nil, let running = runs.running(index, in: channel, at: cutOff),
        question.builds.contains(running), runs.isNew(running, to: index, in: channel, at: taken)
      else { continue }
      devices += 1
    }
  }

  mutating func add(_ other: Self, times: Int) { devices += times * other.devices }
}
