import Lifecycle
import Statistics
import Store

/// How fast a release is taken up beside the one before: of a comparison only what a verdict rests on, and only at one age.
struct SpeedBefore {
  private let chosen: ReleaseScope
  private let other: ReleaseRecord
  private let options: Compare.Options
  private let risk: RiskCounting
  private let polled: PolledCount

  /// - Parameter ages: ascending.
  init(_ vocabulary: Vocabulary, _ chosen: ReleaseScope, with other: ReleaseRecord, ages: [Milliseconds]) {
    var options = Compare.Options()
    options.ages = ages
    (self.chosen, self.other, self.options) = (chosen, other, options)
    let targets = [chosen.target, other]
    risk = RiskCounting(
      vocabulary, chosen, targets, pairs: [ReleasePair(first: chosen.target.id, second: other.id)])
    polled = PolledCount(vocabulary, chosen, targets)
  }

  var counts: Counts { Counts(risk) }

  func more(_ ledger: Ledger) -> Counts {
    let compared = ages(ledger)
    // Tables are made only where that may matter.
    guard compared.tables.contains(where: \.hasImplied) else { return Counts([]) }
    return polled.more(
      compared.sifted.shown.flatMap { group in cells(group, compared).map(RiskCounts.init) })
  }

  struct Found {
    /// With time at risk of this release.
    var devices: Int
    /// The oldest of the ages asked for at which the difference has limits; nil where it has them at none.
    var age: Compare.Age?
    /// Whether nobody knows who was let have one of the two.
    var isOfOffered: Bool
  }

  /// nil where devices are too few in one of the two.
  func found(_ ledger: Ledger) -> Found? {
    let compared = ages(ledger)
    guard let group = compared.sifted.shown.first else { return nil }
    let (common, wholes) = (compared.commonOnAll(group), cells(group, compared))
    let curves = onAllCores(Array(wholes.enumerated())) { place, whole in
      ComparedCurve(
        seen: KaplanMeier(whole.table.truncated(at: common), events: .updates),
        between: polled.side(ledger, place, group, chosen.selection, whole.table)?.curve)
    }
    let both = compared.both(group)
    let age = compared.asked(within: common).reversed().lazy.map { compared.row($0, curves, both) }
      .first { $0.difference.lo != nil }
    return Found(
      devices: wholes[0].devices, age: age, isOfOffered: wholes.contains { $0.table.doubt == .clockFromOffer })
  }

  private func ages(_ ledger: Ledger) -> ComparedAges {
    let sum = ledger[risk]
    return ComparedAges(chosen: chosen, other: other, tables: sum.tables, shared: sum.shared, options: options)
  }

  /// Of both releases.
  private func cells(_ group: Group, _ compared: ComparedAges) -> [RiskTable] {
    onAllCores(compared.tables) { $0.cell(group, by: []) }
  }
}

extension RiskTables {
  /// Whether a check alone tells of any update.
  fileprivate var hasImplied: Bool { cells.values.contains { $0.sums.remarks[.impliedByCheck] ?? 0 > 0 } }
}
