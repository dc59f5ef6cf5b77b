import Lifecycle
import Store

/// An open summary held against a question about some releases: what it says beside its tables.
struct OpenReading {
  let risk: RiskCounting
  let state: SummaryState
  private let heard: [SummaryPart]

  /// nil where the question must be answered from the devices.
  init?(_ snapshot: borrowing Snapshot, _ risk: RiskCounting) throws {
    let (selection, cutOff) = (risk.selection, risk.cutOff.at)
    guard selection.isByDefaultRules,
      let state = try snapshot.earlierSummaryState(app: selection.app, .open),
      state.ground == risk.timeline.openGround, cutOff >= state.since, cutOff <= state.until,
      let heard = try snapshot.summary(app: selection.app, releases: [0], SummaryPart.heard, .open)
    else { return nil }
    (self.risk, self.state, self.heard) = (risk, state, heard)
  }

  /// The same of other releases.
  init(_ reading: OpenReading, of targets: [ReleaseRecord]) {
    let risk = reading.risk
    (state, heard) = (reading.state, reading.heard)
    self.risk = RiskCounting(
      risk.vocabulary, risk.selection, risk.timeline, targets, [], cutOff: risk.cutOff)
  }

  func column(_ number: Int64) -> [Int64] { list(number) ?? [] }

  /// nil where it is not stored.
  func list(_ number: Int64) -> [Int64]? { heard.first { $0.number == number }?.values }

  /// Of which is known what the same devices did with both.
  var paired: Set<ReleasePair> { SummaryPart.pairs(heard) }

  /// `HeardSpan.late`; nil where it was not summarised.
  func late(_ snapshot: borrowing Snapshot, of releases: [ReleaseRecord]) throws -> [Int64: [UInt64]]? {
    let late = SummaryPart.late..<SummaryPart.late + 1
    let parts = try snapshot.summary(app: risk.selection.app, releases: [0] + releases.map(\.id), late, .open)
    return parts.map { parts in
      Dictionary(grouping: parts, by: \.release)
        .mapValues { $0.flatMap(\.values).map(UInt64.init(bitPattern:)).sorted() }
    }
  }

  /// How many stays there were by channel and platform.
  var stays: [Group: Int] {
    let places = heard.filter { $0.number == SummaryPart.place }.map { ($0.group, Int($0.values.first ?? 0)) }
    return Dictionary(places) { $1 }
  }

  /// The same question as the summary was made by.
  var earlier: RiskCounting {
    RiskCounting(
      open: risk.targets, risk.vocabulary, risk.selection.app, risk.timeline, state.since,
      channels: risk.selection.channels, pairs: Set(risk.pairs))
  }

  /// The columns about some releases; nil where one was not summarised by the rules that are its own now.
  func parts(
    _ snapshot: borrowing Snapshot, _ releases: [ReleaseRecord], _ numbers: Range<Int64>
  ) throws -> [SummaryPart]? {
    let ids = releases.map(\.id)
    guard let read = try snapshot.summary(app: risk.selection.app, releases: ids, numbers, .open),
      let grounds = try snapshot.summary(app: risk.selection.app, releases: ids, SummaryPart.grounds, .open),
      ids.allSatisfy({ holds(grounds, $0) })
    else { return nil }
    return read
  }

  private func holds(_ grounds: [SummaryPart], _ release: Int64) -> Bool {
    risk.timeline.channels(of: release).allSatisfy { channel in
      let own = grounds.first { $0.release == release && $0.channel == channel }
      return own?.values == risk.rules(of: release, on: channel).ground
    }
  }

  /// Which devices to look at; nil where it cannot be told when any device was heard of last up to the cutoff.
  var span: HeardSpan? {
    guard let known = newest else { return nil }
    var span = HeardSpan(
      last: state.folded, cutOff: risk.cutOff.at.rawValue,
      unsettled: column(SummaryPart.unsettled).map(UInt64.init(bitPattern:)))
    span.isNewestKnown = known == span.cutOff
    span.patience = Milliseconds(
      rawValue: risk.selection.reachWindow.rawValue - HeardSpan.tolerance.rawValue)
    return span
  }

  /// The newest contact up to the cutoff of those that the summary knows.
  private var newest: Int64? {
    let cutOff = risk.cutOff.at.rawValue
    if let newest = state.dataThrough?.rawValue, newest <= cutOff { return newest }
    return column(SummaryPart.straddling).first.flatMap { $0 >= cutOff ? cutOff : nil }
  }

  /// - Parameter heard: of what was heard since.
  func dataThrough(_ heard: Int64?) -> Timestamp? {
    [newest, heard].compactMap(\.self).max().map(Timestamp.init(rawValue:))
  }
}

extension SummaryPart {
  /// Devices of which more was known than counted at the cutoff.
  static let unsettled: Int64 = 80
  /// When the last run of contacts ended that had begun before the cutoff; nothing where none was found.
  static let straddling: Int64 = 81
  /// Releases that ended, where these are summarised, too.
  static let ended: Int64 = 82
  /// Devices whose journeys on a release that ended tell something that another cutoff makes count otherwise; under 0 those whose next
  /// contact may be their first word about any.
  static let late: Int64 = 83
  /// Releases of which there are tables.
  static let tabled: Int64 = 84
  static let heard = place..<paired + 1
  static let grounds = ground..<ground + 1
}
