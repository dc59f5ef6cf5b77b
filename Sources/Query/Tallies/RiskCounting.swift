import Lifecycle
import Store

/// What is asked about time at risk, the same for every shard; a class, so that no core copies all that it holds.
final class RiskCounting {
  let selection: Selection
  let timeline: Timeline
  let targets: [ReleaseRecord]
  let cutOff: CutOff
  let vocabulary: Vocabulary
  let profiles: ProfileTable
  let slices: DeviceSlices
  let splits: Splits
  /// Whether another cutoff is to be put into the tables later.
  let keepsWaiting: Bool
  /// Whether the legs of each update are counted as well.
  let countsLegs: Bool
  /// Whether it is counted between which contacts devices updated, those among them whose first word since the publication is that
  /// they have it: elsewhere these are `bornOn`. Reads the contacts of all of them.
  let countsBounds: Bool
  /// Of which releases it is counted what the same devices did with both; in the order of their numbers.
  let pairs: [ReleasePair]

  init(
    _ vocabulary: Vocabulary, _ selection: Selection, _ timeline: Timeline, _ targets: [ReleaseRecord],
    _ splits: Splits, cutOff fixed: CutOff? = nil, keepsWaiting: Bool = false, countsLegs: Bool = false,
    countsBounds: Bool = false, pairs: Set<ReleasePair> = []
  ) {
    (self.selection, self.timeline, self.targets, self.vocabulary) = (selection, timeline, targets, vocabulary)
    (self.splits, self.keepsWaiting) = (splits, keepsWaiting)
    (self.countsLegs, self.countsBounds) = (countsLegs, countsBounds)
    self.pairs = pairs.sorted { ($0.first, $0.second) < ($1.first, $1.second) }
    cutOff = fixed ?? CutOff(vocabulary, selection)
    profiles = ProfileTable(vocabulary)
    slices = DeviceSlices(profiles, by: splits.contains(.slice) ? selection.slices : [], only: selection.only)
  }

  convenience init(
    _ vocabulary: Vocabulary, _ chosen: ReleaseScope, _ targets: [ReleaseRecord], _ splits: Splits? = nil,
    countsLegs: Bool = false, countsBounds: Bool = false, pairs: Set<ReleasePair> = []
  ) {
    self.init(
      vocabulary, chosen.selection, chosen.timeline, targets, splits ?? Splits(chosen.selection),
      countsLegs: countsLegs, countsBounds: countsBounds, pairs: pairs)
  }

  /// Spans hide silences of up to a week: for shorter reach windows contacts are read run by run.
  var asksForRuns: Bool {
    countsBounds || selection.censor == .window && selection.reachWindow < DeviceOutlines.longestSilence
  }

  /// Whether devices name arms, and are kept apart by them.
  var splitsArms: Bool { splits.contains(.arm) && profiles.arms.count > 1 }

  /// Buckets and offers count only where a release came in steps, offers for arms, too; journeys on newer releases where these count.
  var need: Need {
    let ids = Set(targets.map(\.id))
    let isStaged = timeline.releases.contains {
      ids.contains($0.id) && $0.publications.contains { !$0.rollout.isEmpty }
    }
    var own = JourneyColumns(JourneyTable.own)
    if countsLegs { own.formUnion(JourneyColumns([.failed])) }
    if isStaged { own.formUnion(JourneyColumns(JourneyTable.offers).union(.buckets)) }
    if splitsArms { own.formUnion(JourneyColumns(JourneyTable.offers)) }
    var journeys: [Int64: JourneyColumns] = [:]
    if selection.estimand != .speed {
      for record in timeline.releases { journeys[record.id] = JourneyColumns(JourneyTable.own) }
    }
    for id in ids { journeys[id] = own }
    var devices: DeviceColumns = isStaged ? .buckets : []
    if asksForRuns { devices.insert(.runs) }
    devices.formUnion(slices.needs)
    return Need(app: selection.app, selection.population, journeys: journeys, devices: devices)
  }
}

/// What cells are kept apart by beyond channel and platform.
struct Splits: OptionSet {
  let rawValue: Int
  /// What devices say of themselves; the selection says which.
  static let slice = Splits(rawValue: 1)
  /// The arm of a random experiment that the device named.
  static let arm = Splits(rawValue: 2)

  init(rawValue: Int) { self.rawValue = rawValue }
  init(_ selection: Selection) { self = selection.slices.isEmpty ? [] : .slice }
}

/// The cells of one target on one segment, by what else is split: slice and arm as small numbers.
///
/// A device is in the arm that it had named when its clock started, or named before anything else tied it to the release. Who names an
/// arm only with the release or later is in none: those that never get it would not be there.
struct CellNumbers {
  private let slices: DeviceSlices
  private let arms: [String?]
  let splitsArms: Bool

  init(_ question: RiskCounting) {
    slices = question.slices
    splitsArms = question.splitsArms
    arms = splitsArms ? question.profiles.cellArms : [nil]
  }

  var count: Int { slices.count * arms.count }

  /// The cell of a device as it was at an instant; below 0 for one that is left out.
  ///
  /// - Parameters:
  ///   - sign: when it first had to do with the release.
  ///   - cutOff: what was said later is not known.
  @inline(__always)
  func number(
    _ profiles: ProfileTable, _ devices: DeviceOutlines, _ index: Int, at instant: Int64, before sign: Int64,
    until cutOff: Int64
  ) -> Int {
    let slice = slices.number(devices, index, at: instant)
    if slice < 0 { return slice }
    let arm = splitsArms ? profiles.arm(devices, index, at: instant, before: sign, until: cutOff) : 0
    return slice * arms.count + arm
  }

  func name(_ number: Int, _ segment: Group) -> Group {
    var group = segment
    group.slices = slices.values(number / arms.count)
    group.arm = arms[number % arms.count]
    return group
  }
}

extension ProfileTable {
  /// The arms of cells: nobody's, those that devices name, and that of devices that named theirs too late.
  var cellArms: [String?] { arms.count > 1 ? arms + [Group.lateArm] : arms }
}
