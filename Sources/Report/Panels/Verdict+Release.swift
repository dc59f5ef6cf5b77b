internal import Console
internal import Lifecycle
internal import Query
internal import Statistics

extension Verdict {
  /// How a release fares, against the one before it where that has a page.
  init(_ release: ReleaseAnswers, against baseline: ReleaseAnswers?, now: Timestamp) {
    let devices = release.own?.counts.devices ?? 0
    figures = Self.figures(release, baseline)
    if let silence = Self.silence(release, now) {
      kind = .stale
      sentence = "The newest contact is \(Console.duration(seconds: silence)) old; what happened since is not known."
    } else if release.facts.supersededAt != nil {
      kind = .done
      sentence = "A newer release took its place on \(Name(release.facts.channel).html()); its numbers are final."
    } else if let why = Self.tooEarly(release, devices, now) {
      kind = .tooEarly
      sentence = why
    } else {
      (kind, sentence) = Self.speed(release, baseline)
    }
  }

  private static func silence(_ release: ReleaseAnswers, _ now: Timestamp) -> Double? {
    guard let through = release.speed.dataThrough, now - through > stalest else { return nil }
    return Double((now - through).rawValue) / 1000
  }

  private static func tooEarly(_ release: ReleaseAnswers, _ devices: Int, _ now: Timestamp) -> HTML? {
    guard let age = release.age(at: now) else {
      return "It was never published on \(Name(release.facts.channel).html())."
    }
    if age < Double(youngest.rawValue) / 1000 {
      return
        "It is \(Console.duration(seconds: age)) old; before \(Console.duration(seconds: Double(youngest.rawValue) / 1000)) nothing is judged."
    }
    if devices < fewestDevices {
      return "\(Number.devices(devices)) devices could have had it; below \(fewestDevices) nothing is judged."
    }
    return nil
  }

  /// Slow only where the whole interval of the median lies above that of the release before.
  private static func speed(_ release: ReleaseAnswers, _ baseline: ReleaseAnswers?) -> (Kind, HTML) {
    guard let own = release.own?.median else { return (.tooEarly, "No device could have had it yet.") }
    let median: HTML =
      own.value == nil
      ? "Half of the devices have not updated yet"
      : "Half of the devices had it after \(own.html(.duration))"
    guard let baseline, let old = baseline.own?.median else {
      return (.onTrack, "\(median); there is no earlier release to compare it with.")
    }
    let than: HTML = "\(Name(baseline.facts.label).html()) needed \(old.html(.duration))"
    if let lo = own.lo, let hi = old.hi, lo > hi { return (.slow, "\(median); \(than).") }
    if own.value == nil, old.value != nil { return (.tooEarly, "\(median); \(than).") }
    if let hi = own.hi, let lo = old.lo, hi < lo { return (.onTrack, "\(median), sooner than before: \(than).") }
    return (.onTrack, "\(median), about as before: \(than).")
  }

  private static func figures(_ release: ReleaseAnswers, _ baseline: ReleaseAnswers?) -> [HTML] {
    guard let own = release.own else { return [] }
    let counts = own.counts
    let seen: HTML = """
      Observed so far: \(Number.devices(counts.events)) of \(Number.devices(counts.devices)) devices that could have had it \
      have updated; \(Number.devices(counts.censored)) are or were still waiting when they were last at risk.
      """
    return [seen]
  }
}

extension Panel {
  static let verdict = Panel(
    name: "verdict", scope: .release, options: [],
    purpose: "How the release fares in a word, and the figures behind it"
  ) { context in
    guard let release = context.release else { return .empty }
    return Verdict(release, against: context.baseline, now: context.site.now).html
  }

  static let tiles = Panel(
    name: "tiles", scope: .release, options: [], purpose: "Devices, share updated, median and 90th percentile"
  ) { context in
    guard let release = context.release, let own = release.own else {
      return note("No device could have had this release yet.")
    }
    return Tile.list(tiles(release, own, context))
  }

  private static func tiles(_ release: ReleaseAnswers, _ own: TimeToUpdate, _ context: PanelContext) -> [Tile] {
    let counts = own.counts
    var tiles = [
      Tile(
        "Devices that could have it", Number.devices(counts.devices),
        "\(Number.devices(counts.lateEntries)) of them came later"),
      Tile(
        "Updated so far", Number.devices(counts.events),
        "counted; \(Number.devices(counts.censored)) not, as far as known"),
    ]
    if let last = release.sinceRelease?.curve.last {
      let age = Console.duration(seconds: Double(last.seconds))
      tiles.append(
        Tile(
          "Adoption \(age) after publication", last.share.valueHTML(.share), "\(last.share.intervalHTML(.share))",
          "estimated, waiting devices counted in"))
    }
    return tiles
      + [(0.5, "Median time to update"), (0.9, "Nine in ten updated after")].compactMap { p, title in
        own.quantile(p).map { estimate in
          let old: HTML? = context.baseline?.own?.quantile(p).map { old in
            "\(Name(context.baseline?.facts.label ?? "").html(atMost: 24)): \(old.valueHTML(.duration))"
          }
          return Tile(title, estimate.valueHTML(.duration), estimate.intervalHTML(.duration), old ?? "")
        }
      }
  }
}
