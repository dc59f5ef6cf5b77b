import Console
import Lifecycle
import Statistics
import Store

/// Which of all that devices differ in goes with more failures, for certain: Fisher's exact test of the devices with one value
/// against all others, adjusted by Holm's method. Who only tried at hours when all others failed, too, is none.
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
  /// Those that would be found, too, if it were not for the hours.
  let explained: [Suspect]
  let hours: FaultHours?
  /// How many values were compared.
  let compared: Int
  private let alpha: Double

  /// - Parameter sides: of the attempts in the hours, and at other times; nil until they were counted.
  init(
    _ tally: SuspectTally, _ hours: FaultHours?, sides: (inside: SuspectTally, outside: SuspectTally)?, level: Double,
    _ smallGroups: SmallGroups
  ) {
    let (all, alpha) = (tally.all.own, 1 - level)
    let parts = tally.parts.filter {
      $1.own.attempts >= Self.fewestAttempts && $1.own != all && smallGroups.isShown($1.own.attempts)
        && smallGroups.isShown(all.attempts - $1.own.attempts)
    }.sorted { $0.key.order(tally) < $1.key.order(tally) }
    let adjusted = holm(parts.map { $0.value.own.test(within: all) })
    let suspects = zip(parts, adjusted).compactMap { part, adjusted in
      adjusted.map { Suspect(trait: part.key, counts: part.value, adjusted: $0) }
    }
    let certain = suspects.filter {
      $0.adjusted.value <= alpha && $0.counts.own.isWorse(than: all.without($0.counts.own))
    }.sorted { ($0.adjusted, $0.counts.own.attempts) < ($1.adjusted, $1.counts.own.attempts) }
    let ofSides = sides.map { ($0.inside.parts, $0.outside.parts) }
    func isExplained(_ one: Suspect) -> Bool {
      guard let hours, let (inside, outside) = ofSides else { return false }
      return hours.explain((inside[one.trait]?.own ?? .init(), outside[one.trait]?.own ?? .init()), level: level)
    }
    (explained, found) = (certain.filter(isExplained), certain.filter { !isExplained($0) })
    (self.hours, compared, self.alpha) = (hours, parts.count, alpha)
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
      + [nothingFound(tally.all.own), failedAtHours(tally), tagsLeftOut(tally.question.profiles.tags.count)]
      .compactMap(\.self)
  }

  private func tagsLeftOut(_ count: Int) -> Warning? {
    let most = SuspectCounting.mostTags
    return count > most
      ? Warning(
        "tags_left_out",
        "\(counted(count - most, "tag")) of \(grouped(count)) are not compared: the first \(most) by name are")
      : nil
  }

  /// Nothing where suspects stand without them.
  private func failedAtHours(_ tally: SuspectTally) -> Warning? {
    guard let hours, found.isEmpty || !explained.isEmpty else { return nil }
    let names = firstFew(explained.map { "\($0.trait.by.rawValue) \(named(tally.name($0.trait)))" }, atMost: 8)
    let whom =
      names.isEmpty
      ? ""
      : "; \(names) would stand out for these hours alone, failing no more often than others then or at other times"
    return Warning(
      Warning.failedAtHours,
      "\(hours.words(until: tally.question.cutOff.at))\(whom): a server or a network may have failed then")
  }

  private func nothingFound(_ all: WatchedAttempts) -> Warning? {
    guard found.isEmpty, explained.isEmpty, all.attempts > 0 else { return nil }
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

extension WatchedAttempts {
  /// Whether these fail more often than others, for certain.
  ///
  /// - Parameter looks: so many tests share the level.
  func failsMore(than others: Self, level: Double, looks: Int = 1) -> Bool {
    guard isWorse(than: others), let p = ProportionPair(share, others.share).fisherExact else { return false }
    return p.value * Double(looks) <= 1 - level
  }
}

extension FleetTrait {
  /// The same whoever counts.
  fileprivate func order(_ tally: SuspectTally) -> (String, String) { (by.rawValue, tally.name(self)) }
}

extension Warning {
  public static let nothingStandsOut = "nothing_stands_out"
  /// First attempts failed in some hours, whatever made them.
  public static let failedAtHours = "failed_at_hours"
}
