internal import Console
import Lifecycle
import Statistics
import Store

extension Selection {
  /// The causes that count as success.
  var successes: CauseSet { .updates }
}

/// What a reader must know of the ground that the numbers stand on.
func warnings(_ tables: RiskTables, _ chosen: ReleaseScope, at ages: [Milliseconds] = []) -> [Warning] {
  var warnings = publicationWarnings(tables.starts, chosen, isEmpty: tables.cells.isEmpty && tables.dataThrough == nil)
  let all = RiskTable.counts(tables.cells.values.map(\.sums))
  let skewed = all.excluded[.skewExcluded] ?? 0
  if skewed * 100 > all.devices + skewed {
    warnings.append(.updatedBeforePublication(skewed))
  }
  let early = all.excluded[.beforeEligibility] ?? 0
  if early * 100 > all.devices + early {
    warnings.append(
      Warning(
        Warning.beforeEligibility,
        "\(early) of \(counted(all.devices + early, "device")) ran \(chosen.selection.release.rawValue) before"
          + " \(early == 1 ? "its rollout step and is" : "their rollout step and are") left out;"
          + " are the steps and the buckets right?"))
  }
  let unseen = (all.excluded[.firstSeenAtUpdate] ?? 0) + (all.excluded[.bornOn] ?? 0)
  if unseen > all.devices, let again = publishedAgain(chosen, tables.starts) {
    warnings.append(again)
  } else if unseen > all.devices {
    let release = chosen.selection.release.rawValue
    let remedy = unseenRemedy(chosen.target, tables.firstStarts)
    warnings.append(
      Warning(
        "not_seen_before",
        "\(unseen) of \(counted(all.devices + unseen, "device")) said nothing between the publication of \(release) and running it, so"
          + " nobody knows how long they waited and they are left out: \(remedy)"))
  }
  if let devices = all.remarks[.fromFirstOffer] {
    warnings.append(firstOfferWarning(devices, isComplete: all.hidden == 0))
  }
  warnings += chosen.selection.by.filter { $0 != .mechanism }.compactMap { absent($0, tables) }
  let inferred = tables.starts.values.filter(\.isInferred).map(\.publishedAt).min()
  warnings += doubtfulWarnings([chosen.selection.release.rawValue: inferred], tables.cutOff)
  warnings += pauseWarning(tables, of: chosen.target, until: chosen.selection.now)
  warnings += [Warning.replacedAtOnce(chosen)].compactMap(\.self)
  return warnings + agesWarning(tables, chosen, at: ages) + upperBoundWarning(tables) + cutOffWarnings(tables.cutOff)
}

extension Warning {
  /// - Parameter row: where several releases are told of.
  static func updatedBeforePublication(_ count: Int, of row: (release: String, channel: String)? = nil) -> Warning {
    let name = row.map { "\(named($0.release)) on \(named($0.channel)): " } ?? ""
    let who =
      count == 1
      ? "1 device says it updated before publication and is"
      : "\(count) devices say they updated before publication and are"
    return Warning(updatedEarly, "\(name)\(who) left out; is publishedAt right?")
  }

  /// - Parameter releases: by name; and when each was withdrawn, where nobody else registered it.
  static func inferred(_ releases: [String: Timestamp?]) -> [Warning] {
    let never = releases.filter { $0.value == nil }.keys.sorted()
    let withdrawn = releases.compactMapValues(\.self).sorted { $0.key < $1.key }
    return (never.isEmpty ? [] : [inferred(never)]) + withdrawn.map { .inferred($0.key, withdrawnAt: $0.value) }
  }

  /// Of one whose publications were all taken back: it is not to be registered again without a thought.
  static func inferred(_ release: String, withdrawnAt at: Timestamp) -> Warning {
    Warning(
      Warning.inferredPublication,
      "the publication of \(named(release)) was withdrawn at \(at.words); the first event about it stands in: if it was out, put it"
        + " back with uptake release publish and end it with uptake release halt")
  }

  private static func inferred(_ releases: [String]) -> Warning {
    let isOne = releases.count == 1
    return Warning(
      Warning.inferredPublication,
      "nobody registered when \(firstFew(releases.map(named))) \(isOne ? "was" : "were") published; the first event about"
        + " \(isOne ? "it stands in: register it" : "each stands in: register them") with uptake release publish")
  }

  /// - Parameter publications: of the release, wherever.
  static func neverPublished(_ release: String, _ publications: [Publication] = []) -> Warning {
    let places = Set(publications.map { named($0.channel) + ($0.platform.map { " for \(named($0))" } ?? "") })
      .sorted().joined(separator: ", ")
    return Warning(
      "never_published",
      "\(release) was not published on any channel and platform looked at"
        + (places.isEmpty ? "" : ": it was published on \(places)"))
  }
}

extension [RiskCounts] {
  /// With `as-happened`: a curve takes an end by a newer release as the end of watching, mechanisms take it as a way of its own.
  var newerWarnings: [Warning] {
    let newer = reduce(0) { $0 + $1.newerRelease }
    guard newer > 0 else { return [] }
    return [
      Warning(
        "newer_release_censored",
        "\(newer) \(newer == 1 ? "device" : "devices") went to a newer release first: adoption and times stop watching them there, as if they could still have"
          + " updated, so they are above the sum of the mechanisms' shares, which counts them as gone; read uptake mechanisms, or"
          + " ask with --estimand patched")
    ]
  }
}

private func firstOfferWarning(_ devices: Int, isComplete: Bool) -> Warning {
  let hidden =
    devices == 1
    ? "1 device does not say its bucket: its clock starts at its"
    : "\(devices) devices do not say their bucket: their clock starts at their"
  let clock = "the rollout was staged and \(hidden) first offer"
  return Warning(
    "from_first_offer",
    isComplete
      ? clock
      : clock
        + ", so the wait before it is left out and adoption reads too high, by far where a rollout stays at a small share;"
        + " until it is complete there are no limits: let clients send their bucket, or ask with --clock release-age")
}

/// What to do about devices that were never seen waiting for a release: where it was heard of before it was published, as far as is
/// registered, they may have waited before that.
///
/// - Parameter starts: when it was published on each channel.
func unseenRemedy(_ release: ReleaseRecord, _ starts: [String: Timestamp]) -> String {
  let heard = starts.compactMap { channel, start -> Timestamp? in
    let published = release.publications.filter { $0.channel == channel }.map(\.publishedAt).min() ?? start
    let first = release.sightings.filter { $0.channel == channel }.map(\.firstAt).min()
    return first.flatMap { $0 < min(start, published) - RiskRules.tolerance ? $0 : nil }
  }
  guard let first = heard.min() else { return sendChecks }
  return
    "\(named(release.label.rawValue)) was heard of since \(first.words), before its publication: is publishedAt right?"
    + " Else \(sendChecks)"
}

extension RiskTables {
  /// When somebody registered that the release came to each channel, on whichever platform first.
  fileprivate var firstStarts: [String: Timestamp] {
    let registered = starts.filter { !$0.value.isInferred }.map { ($0.key.channel ?? "", $0.value.publishedAt) }
    return Dictionary(registered, uniquingKeysWith: { min($0, $1) })
  }
}

/// What an app has to do for its devices to be known before they update.
let sendChecks = "send a check at each start, and applied at the first of a release (docs/events.md)"

/// Clients without a clock keep reports and send them later; the time of receipt then stands for that of the event.
private func upperBoundWarning(_ tables: RiskTables) -> [Warning] {
  guard let first = tables.starts.values.map(\.publishedAt).min() else { return [] }
  var sum = CutOff.Day()
  for (day, arrived) in tables.cutOff.days where day >= first.seconds / 86_400 {
    sum.events += arrived.events
    sum.timeless += arrived.timeless
  }
  guard sum.timeless > 0 else { return [] }
  let share = max(1, (sum.timeless * 100 + sum.events / 2) / sum.events)
  return [
    Warning(
      "times_are_upper_bounds",
      "\(sum.timeless) of \(sum.events) events of the app since the day of publication (\(share) %) say no time and may"
        + " have been sent late: the time of receipt stands in, so updates were at least as fast as shown")
  ]
}

func cutOffWarnings(_ cutOff: CutOff) -> [Warning] {
  let shifted = cutOff.shiftedClocks.map { [Warning(Warning.clocksShifted, $0.words)] } ?? []
  if cutOff.isBackfilled {
    return shifted + [.backfilled]
  }
  let isBack =
    "the cutoff lies \(lengthWords(cutOff.lag)) back, at \(cutOff.at.words), and what happened since is not counted, crashes and"
    + " rollbacks aside:"
  if let late = cutOff.late {
    return shifted + [
      Warning(
        Warning.cutOffLate,
        "\(isBack) of the app's \(counted(late.of, "event")) that it goes by \(grouped(late.events))"
          + " (\(share(Double(late.events) / Double(late.of)))) came over a day late, and the latest hundredth sets it, be it of one device"
          + " or of all: uptake doctor says of whose; adoption and reach take --provisional")
    ]
  }
  guard let few = cutOff.few else { return shifted }
  return shifted + [
    Warning(
      Warning.cutOffOfFew,
      "\(isBack) \(grouped(few.late)) of the app's first \(counted(few.of, "event")) came over ten minutes late, and below"
        + " \(grouped(Int(CutOff.fewestEvents))) events a few set it; verdicts count failed attempts since, adoption and reach take"
        + " --provisional")
  ]
}

extension Warning {
  /// An import tells nothing of how late devices report.
  static let backfilled = Warning(
    "backfilled",
    "most events came hours after they happened, as those of an import do: how late devices report is not known, and all"
      + " events up to now count")
  /// Nobody need wonder where the newest hours are.
  public static let cutOffOfFew = "cutoff_of_few"
  public static let cutOffLate = "cutoff_late"
  /// What pages say above everything else, once.
  public static let aboutCutOff: Set = [cutOffOfFew, cutOffLate]
  /// Local times that are sent as UTC, most of the time.
  public static let clocksShifted = "clocks_shifted"
  public static let onlyEmulators = "only_emulators"
  public static let inferredPublication = "inferred_publication"
  /// The instant that stands in for a publication.
  public static let doubtfulPublication = "doubtful_publication"
  public static let updatedEarly = "skew_excluded"
  public static let beforeEligibility = "before_eligibility"
  /// That there is no release to judge.
  public static let noReleases = "no_releases"
}

/// The answer is split by what no device ever said.
private func absent(_ grouping: Grouping, _ tables: RiskTables) -> Warning? {
  let groups = Set(tables.cells.keys.map { $0.split(by: [grouping]) })
  guard groups.count == 1, groups.first?.parts.map(\.value) == [Group.unnamed] else { return nil }
  return Warning("absent_field", "no device named its \(grouping.rawValue), so there is nothing to split by")
}
