import Lifecycle
import Statistics
import Store

/// How fast a release is taken up beside the one before: of a comparison only what a verdict rests on, and only at one age.
struct SpeedBefore {
  private let chosen: ReleaseScope
  private let other: ReleaseRecord
  private let options: Compare.Options
  private let risk: RiskCounting
  /// Of both.
  private let polled: [PolledCount]
  /// Without devices that came after the publications: counted only where the release seems slower.
  private let settled: SettledCounting

  /// - Parameter ages: ascending.
  init(_ vocabulary: Vocabulary, _ chosen: ReleaseScope, with other: ReleaseRecord, ages: [Milliseconds]) {
    var options = Compare.Options()
    options.ages = ages
    (self.chosen, self.other, self.options) = (chosen, other, options)
    let targets = [chosen.target, other]
    let pairs: Set = [ReleasePair(first: chosen.target.id, second: other.id)]
    risk = RiskCounting(vocabulary, chosen, targets, pairs: pairs)
    polled = targets.map { PolledCount(vocabulary, chosen, $0) }
    settled = SettledCounting(vocabulary, chosen, targets, pairs: pairs)
  }

  var counts: Counts { Counts(risk) }

  /// - Parameter isSlower: whether it is, as far as is counted yet.
  func more(_ ledger: Ledger, isSlower: Bool) -> Counts {
    let compared = ages(ledger[risk])
    // Tables are made only where that may matter.
    let bounds =
      compared.tables.contains(where: \.mayBePolled)
      ? bounds(compared.sifted.shown.map { group in cells(group, compared).map(RiskCounts.init) }) : []
    // Between checks it may be slow where it was not.
    return Counts(bounds + (isSlower || !bounds.isEmpty ? [settled] : []))
  }

  /// - Parameter groups: of each, counts of both releases.
  private func bounds(_ groups: [[RiskCounts]]) -> [any Counting] {
    polled.enumerated().flatMap { place, polled in polled.more(groups.map { $0[place] }).all }
  }

  struct Found {
    /// With time at risk of this release.
    var devices: Int
    /// The oldest of the ages asked for at which the difference has limits; nil where it has them at none.
    var age: Compare.Age?
    /// Whether nobody knows who was let have one of the two.
    var isOfOffered: Bool
    /// Where the two were published at other hours of the day: then only whole days tell.
    var published: OtherHours?
    /// Where one had more of a weekend up to that age.
    var days: OtherDays?
    /// Where it was counted.
    var newcomers: Newcomers?
  }

  /// Devices that came after the publication. Theirs is a clock that starts at a contact, when a device may update at once; that of
  /// the others runs until they are in contact.
  struct Newcomers {
    /// Of the devices of this release, and of those of the one before.
    var share: Double
    var before: Double
    /// The same comparison without them, and the devices of this release in it; nil where it has no limits, or times lie between checks.
    var age: Compare.Age?
    var devices: Int
    /// Whether that is of a random part of the devices.
    var isSample: Bool
  }

  /// nil where devices are too few in one of the two.
  func found(_ ledger: Ledger) -> Found? {
    let compared = ages(ledger[risk])
    guard let group = compared.sifted.shown.first else { return nil }
    let wholes = cells(group, compared)
    let sides = onAllCores(Array(wholes.enumerated())) { place, whole in
      polled[place].side(ledger, group, chosen.selection, whole.table)?.curve
    }
    let age = age(compared, group, wholes, between: sides)
    return Found(
      devices: wholes[0].devices, age: age, isOfOffered: wholes.contains { $0.table.doubt == .clockFromOffer },
      published: compared.otherHours,
      days: age.flatMap { OtherDays(compared.tables[0], compared.tables[1], 0...$0.seconds) },
      newcomers: ledger.known(settled).map { newcomers($0, isPolled: sides.contains { $0 != nil }) })
  }

  private func newcomers(_ sum: SettledCounting.Sum, isPolled: Bool) -> Newcomers {
    let settled = ages(sum.settled)
    let (wholes, left) = (cells(Group(), ages(sum.all)), cells(Group(), settled))
    func share(_ place: Int) -> Double {
      let all = wholes[place].devices
      return all > 0 ? Double(all - left[place].devices) / Double(all) : 0
    }
    let group = isPolled ? nil : settled.sifted.shown.first
    return Newcomers(
      share: share(0), before: share(1),
      age: group.flatMap { age(settled, $0, left, between: left.map { _ in nil }) }, devices: left[0].devices,
      isSample: sum.isSample)
  }

  private func age(
    _ compared: ComparedAges, _ group: Group, _ wholes: [RiskTable], between: [PolledCurve?]
  ) -> Compare.Age? {
    let common = compared.commonOnAll(group)
    let curves = onAllCores(Array(wholes.enumerated())) { place, whole in
      ComparedCurve(seen: KaplanMeier(whole.table.truncated(at: common), events: .updates), between: between[place])
    }
    let both = compared.both(group)
    let asked = compared.asked(within: common)
      .filter { tick in
        (compared.otherHours == nil || tick % 86_400 == 0) && curves.allSatisfy { $0.isCarried(to: tick) }
      }
    return asked.reversed().lazy.map { compared.row($0, curves, both) }.first { $0.difference.lo != nil }
  }

  private func ages(_ sum: RiskCounting.Sum) -> ComparedAges {
    ComparedAges(chosen: chosen, other: other, tables: sum.tables, shared: sum.shared, options: options)
  }

  /// Of both releases.
  private func cells(_ group: Group, _ compared: ComparedAges) -> [RiskTable] {
    onAllCores(compared.tables) { $0.cell(group, by: []) }
  }
}

extension Compare.Age {
  /// Behind the release before by more than the margin, for certain.
  var isSlow: Bool { difference.hi.map { $0 < -Verdict.slowMargin } ?? false }
  /// Whether words call it so, be it by a little.
  var isSlower: Bool { relevance != .equivalent && difference.hi.map { $0 < 0 } ?? false }
  var isFaster: Bool { relevance != .equivalent && difference.lo.map { $0 > 0 } ?? false }
}

extension RiskTables {
  /// Whether a check alone tells of any update, or may.
  fileprivate var mayBePolled: Bool {
    cells.values.contains { $0.sums.remarks[.impliedByCheck] ?? 0 > 0 || $0.sums.excluded[.bornOn] ?? 0 > 0 }
  }
}
