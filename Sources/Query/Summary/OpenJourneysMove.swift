import Lifecycle
import Store

/// What an open summary keeps of first attempts and stages.
struct OpenJourneysTally: Tally {
  private let question: OpenCounting
  private(set) var journeys: OpenTally
  private(set) var unsettled: [UInt64] = []

  init(_ question: OpenCounting) { (self.question, journeys) = (question, OpenTally(question)) }

  mutating func count(_ page: borrowing ShardPage) throws {
    try journeys.count(page)
    let settling = Settling(at: question.since.rawValue, published: [:])
    unsettled += settling.late(page).values.flatMap(\.self) + settling.unnamed(page)
  }

  mutating func add(_ other: OpenJourneysTally, times: Int) {
    journeys.add(other.journeys, times: times)
    unsettled += other.unsettled
  }

  var parts: [SummaryPart] { lists + journeys.parts(byHour: true) + journeys.emulators.parts }

  fileprivate var lists: [SummaryPart] {
    let devices = Set(unsettled).sorted().map(Int64.init(bitPattern:))
    return [
      (SummaryPart.attempted, question.attempted.sorted()), (SummaryPart.staged, question.staged.sorted()),
      (SummaryPart.journeysUnsettled, devices),
    ].map { SummaryPart(0, Group(channel: ""), $0, $1) }
  }
}

extension OpenJourneys {
  typealias Moved = HeardTwice<OpenTally, OpenJourneysTally>

  /// What it takes to move on what is kept to the cutoff that is asked at.
  ///
  /// - Parameter last: the number of the last event that is looked at.
  func move(upTo last: Int64) -> HeardAsk<Moved> {
    let cutOff = reading.risk.cutOff.at
    let span = HeardSpan(last: reading.state.folded, cutOff: cutOff.rawValue, unsettled: [])
    return ask(span, since: cutOff, upTo: last) { OpenJourneysTally($0) }
  }

  /// From the summary before and the devices that were heard of since. The same columns as from all devices; nil where only what was heard
  /// since confirms a release.
  func moved(_ heard: Moved) -> [SummaryPart]? {
    let (cutOff, vocabulary) = (reading.risk.cutOff.at, reading.risk.vocabulary)
    let (left, came) = (Self.byPlace(heard.earlier), Self.byPlace(heard.now.journeys))
    var cells: [OpenTally.Cell] = []
    for place in Set(kept.cells.keys).union(left.keys).union(came.keys) {
      let isConfirmed = kept.isConfirmed(place.release)
      if !isConfirmed, came[place]?.stages.hasConfirmed ?? false { return nil }
      var cell = OpenTally.Cell(release: place.release, group: place.group)
      if let known = kept.cells[place] {
        let grid = reading.risk.timeline.endlessLooks(at: place.release)
        cell.attempts = known.attempts.moved(to: cutOff, vocabulary, grid)
        cell.stages = known.stages.moved(to: cutOff)
      }
      if let left = left[place] {
        cell.attempts.subtract(left.attempts, vocabulary)
        cell.stages.subtract(isConfirmed ? left.stages : left.stages.withoutConfirming)
      }
      if let came = came[place] {
        cell.attempts.add(came.attempts)
        cell.stages.add(came.stages)
      }
      cells.append(cell)
    }
    var emulators = kept.emulators
    emulators.subtract(heard.earlier.emulators.counts)
    emulators.add(heard.now.journeys.emulators.counts)
    return heard.now.lists + cells.parts(vocabulary, byHour: true) + [emulators.emulatorPart]
  }

  private static func byPlace(_ tally: OpenTally) -> [KeptJourneys.Place: OpenTally.Cell] {
    Dictionary(uniqueKeysWithValues: tally.cells.map { (.init(release: $0.release, group: $0.group), $0) })
  }
}
