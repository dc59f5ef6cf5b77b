import Console
import Lifecycle
import Statistics
import Store

/// Which of all that devices differ in goes with more failures, for certain: Fisher's exact test of the devices with one value
/// against all others, adjusted by Holm's method.
struct SuspectSearch {
  struct Suspect {
    var trait: FleetTrait
    var counts: SuspectCounts
    var adjusted: PValue
  }

  /// A suspect without the devices of the first.
  struct Apart {
    var counts: WatchedAttempts
    var standsOut: Bool
  }

  /// Values of fewer attempts are not compared: there may be thousands, and each makes the test of the others stricter.
  static let fewestAttempts = 5

  /// Most certain first.
  let found: [Suspect]
  /// How many values were compared.
  let compared: Int
  private let alpha: Double

  init(_ tally: SuspectTally, level: Double, _ smallGroups: SmallGroups) {
    let (all, alpha) = (tally.all.own, 1 - level)
    let parts = tally.parts.filter {
      $1.own.attempts >= Self.fewestAttempts && $1.own != all && smallGroups.isShown($1.own.attempts)
        && smallGroups.isShown(all.attempts - $1.own.attempts)
    }.sorted { $0.key.order(tally) < $1.key.order(tally) }
    let adjusted = holm(parts.map { $0.value.own.test(within: all) })
    let suspects = zip(parts, adjusted).compactMap { part, adjusted in
      adjusted.map { Suspect(trait: part.key, counts: part.value, adjusted: $0) }
    }
    found = suspects.filter { $0.adjusted.value <= alpha && $0.counts.own.isWorse(than: all.without($0.counts.own)) }
      .sorted { ($0.adjusted, $0.counts.own.attempts) < ($1.adjusted, $1.counts.own.attempts) }
    (compared, self.alpha) = (parts.count, alpha)
  }

  /// All suspects but the first, by what is left of them.
  func apart(in left: SuspectTally) -> [FleetTrait: Apart] {
    let (rest, parts, all) = (found.dropFirst().map(\.trait), left.parts, left.all.own)
    let counts = rest.map { parts[$0]?.own ?? WatchedAttempts() }
    let adjusted = holm(counts.map { $0.test(within: all) })
    return Dictionary(
      uniqueKeysWithValues: zip(rest, zip(counts, adjusted)).map { trait, found in
        let isCertain = found.1.map { $0.value <= alpha } ?? false
        return (trait, Apart(counts: found.0, standsOut: isCertain && found.0.isWorse(than: all.without(found.0))))
      })
  }

  func warnings(_ tally: SuspectTally, _ chosen: ReleaseScope) -> [Warning] {
    attemptWarnings(tally.question.cutOff, chosen, emulators: tally.emulators, attempts: tally.all.own.attempts)
      + [nothingFound(tally.all.own), tagsLeftOut(tally.question.profiles.tags.count)].compactMap(\.self)
  }

  private func tagsLeftOut(_ count: Int) -> Warning? {
    let most = SuspectCounting.mostTags
    return count > most
      ? Warning(
        "tags_left_out",
        "\(counted(count - most, "tag")) of \(grouped(count)) are not compared: the first \(most) by name are")
      : nil
  }

  private func nothingFound(_ all: WatchedAttempts) -> Warning? {
    guard found.isEmpty, all.attempts > 0 else { return nil }
    let failed = "\(grouped(all.failures)) of \(counted(all.attempts, "first attempt")) failed so far"
    if all.failures == 0 { return Warning(Warning.nothingStandsOut, "\(failed): there is nothing to look for") }
    return Warning(
      Warning.nothingStandsOut,
      compared == 0
        ? "\(failed): too few devices, or too much alike, to tell which devices it fails on"
        : "\(failed), and of \(counted(compared, "value")) that devices differ in, none goes with more failures for certain"
    )
  }
}

extension WatchedAttempts {
  var share: Proportion { Proportion(Int64(failures), of: Int64(attempts)) }

  /// Whether devices with one value and all others fail alike; nil where either has no attempt.
  fileprivate func test(within all: Self) -> PValue? { ProportionPair(share, all.without(self).share).fisherExact }

  fileprivate func isWorse(than others: Self) -> Bool {
    // Of two shares, with no division.
    failures * others.attempts > others.failures * attempts
  }
}

extension FleetTrait {
  /// The same whoever counts.
  fileprivate func order(_ tally: SuspectTally) -> (String, String) { (by.rawValue, tally.name(self)) }
}

extension Warning {
  public static let nothingStandsOut = "nothing_stands_out"
}
