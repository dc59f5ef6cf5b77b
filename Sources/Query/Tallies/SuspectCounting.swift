import Lifecycle
import Store

/// First attempts at a release and at the one before it, by each thing that devices differ in; a class, so that no core
/// copies all that it holds.
final class SuspectCounting {
  /// The first by name: each is looked up for every attempt, and clients make up as many as they like.
  static let mostTags = 20
  let selection: Selection
  let timeline: Timeline
  let options = Failures.Options()
  let cutOff: CutOff
  let vocabulary: Vocabulary
  let profiles: ProfileTable
  /// By the number of a release: whether it is the one before.
  let releases: [Int64: Bool]
  /// What devices say of themselves, in order of help. No bucket: devices get theirs by chance. Arms at the end.
  let slices: [DeviceSlices]
  let only: DeviceSlices
  /// Devices with it are left out.
  let excluded: FleetTrait?
  private let excludedSlice: Int?
  /// Only attempts that started then, failed as far as they did within `FaultHours.age`; nil for all.
  let side: FaultHours.Side?

  init(
    _ vocabulary: Vocabulary, _ chosen: ReleaseScope, before: ReleaseRecord?, excluding excluded: FleetTrait? = nil,
    at side: FaultHours.Side? = nil
  ) {
    (selection, timeline, self.vocabulary) = (chosen.selection, chosen.timeline, vocabulary)
    (self.excluded, self.side) = (excluded, side)
    cutOff = CutOff(vocabulary, selection)
    let profiles = ProfileTable(vocabulary)
    let arms: [ProfileField] = profiles.arms.count > 1 ? [.arm] : []
    let fields = ProfileField.named.filter { $0 != .bucket } + profiles.tags.prefix(Self.mostTags) + arms
    let slices = fields.map { DeviceSlices(profiles, by: [$0], only: []) }
    self.slices = slices
    only = DeviceSlices(profiles, by: [], only: selection.only)
    self.profiles = profiles
    excludedSlice = excluded.flatMap { trait in slices.firstIndex { .slice($0.fields[0]) == trait.by } }
    releases = (before.map { [$0.id: true] } ?? [:]).merging([chosen.target.id: false]) { $1 }
  }

  var need: Need {
    let columns = JourneyColumns(Attempt.milestones).union(.reasons)
    return Need(
      app: selection.app, selection.population, journeys: releases.mapValues { _ in columns },
      devices: slices.reduce(only.needs) { $0.union($1.needs) })
  }
}

extension SuspectCounting: Counting {
  var start: SuspectTally { SuspectTally(self) }
  func sum(_ tally: SuspectTally) -> SuspectTally { tally }

  /// Where the same was asked, a second look leaves out what the first one found, or is of the hours that it found.
  func covers(_ other: SuspectCounting) -> Bool {
    self === other
      || (excluded != nil || side != nil) && excluded == other.excluded && side == other.side
        && releases == other.releases && selection == other.selection
  }
}

extension SuspectCounting {
  @inline(__always)
  func includes(_ instant: Int64) -> Bool { side.map { $0.contains(instant) } ?? true }

  @inline(__always)
  func excludes(platform: Int, mechanism: Int, _ numbers: [Int]) -> Bool {
    guard let excluded else { return false }
    if let excludedSlice { return numbers[excludedSlice] == excluded.number }
    return excluded == FleetTrait(by: .platform, number: platform)
      || excluded == FleetTrait(by: .mechanism, number: mechanism)
  }
}
