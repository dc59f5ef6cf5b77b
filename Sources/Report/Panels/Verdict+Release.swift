internal import Console
internal import Lifecycle
internal import Query
internal import Statistics

extension Verdict {
  /// How a release fares, against the one before it on the channel.
  init(_ standing: Standing, now: Timestamp) {
    figures = Self.figures(standing)
    let channel = Name(standing.facts.channel).html()
    if standing.facts.supersededAt != nil {
      kind = .done
      sentence = "A newer release took its place on \(channel); its numbers are final."
    } else if let failing = Self.failing(standing) {
      // Failures come before silence: devices that a release broke fall silent.
      (kind, sentence) = (.failing, failing)
    } else if let unjudged = Self.unjudged(standing) {
      (kind, sentence) = (.unjudged, unjudged)
    } else if let silence = Self.silence(standing) {
      kind = .stale
      sentence =
        "No device was heard of for \(Console.duration(seconds: silence)) before the data end; what happened since is not known."
    } else if let why = Self.tooEarly(standing, now) {
      (kind, sentence) = (.tooEarly, why)
    } else {
      (kind, sentence) = Self.speed(standing)
    }
  }

  private static func silence(_ standing: Standing) -> Double? {
    guard let through = standing.speed.dataThrough, standing.facts.cutOff - through > stalest else { return nil }
    return Double((standing.facts.cutOff - through).rawValue) / 1000
  }

  /// Only where the sequential test says so: it may be asked at every look without crying wolf.
  private static func failing(_ standing: Standing) -> HTML? {
    guard let row = standing.failed, row.stopRule.decision == .stop else { return nil }
    return """
      First attempts fail above the limit of \(Number.share(row.stopRule.limit)): \(row.rate.html(.share)) of \
      \(Number.count(row.attempts)) devices. Stop the rollout.
      """
  }

  /// Many failures, and no limit that could call them few: that is no release on track.
  private static func unjudged(_ standing: Standing) -> HTML? {
    guard let row = standing.failed, !row.stopRule.canWiden, row.exceedsLeastLimit else { return nil }
    return """
      \(Number.count(row.failed)) of \(Number.count(row.attempts)) first attempts failed: \(row.rate.html(.share)). Past releases \
      have \(row.stopRule.pastAttempts == 0 ? "no" : "too few") attempts to set a limit by.
      """
  }

  private static func tooEarly(_ standing: Standing, _ now: Timestamp) -> HTML? {
    let channel = Name(standing.facts.channel).html()
    guard let followed = standing.facts.followed else { return "It was never published on \(channel)." }
    if followed * 1000 < youngest.rawValue {
      let least = Console.duration(seconds: Double(youngest.rawValue) / 1000)
      return "It was followed for \(Console.duration(seconds: Double(followed))); before \(least) nothing is judged."
    }
    if standing.isWithheld {
      return "Fewer than \(Site.smallestGroup) devices could have had it; nothing is shown of them."
    }
    guard let devices = standing.own?.counts.devices else { return "No device could have had it yet." }
    if devices < fewestDevices {
      return "\(Number.count(devices)) devices could have had it; below \(fewestDevices) nothing is judged."
    }
    return nil
  }

  /// What the comparison with the release before says, as `uptake compare` says it.
  private static func speed(_ standing: Standing) -> (Kind, HTML) {
    guard let reference = standing.sinceRelease?.baseline else {
      return (.onTrack, "There is no earlier release on the channel to hold it against.")
    }
    let name = Name(reference.release).html()
    guard let row = standing.compared, let age = row.ages.last, age.difference.value != nil else {
      return (.tooEarly, "It cannot be held against \(name) yet: the two were not followed to the same age.")
    }
    let at = Console.duration(seconds: Double(age.seconds))
    let words: HTML = "\(at) after publication, \(age.difference.html(.points)) against \(name) at the same age"
    switch row.verdict {
    case .ahead: return (.onTrack, "Ahead: \(words).")
    case .behind: return (.slow, "Behind: \(words).")
    case .equivalent: return (.onTrack, "As fast as before: \(words).")
    case .undecided, .cannotSay:
      let isYoung = age.seconds < 72 * 3600
      return (isYoung ? .tooEarly : .onTrack, "No clear difference\(isYoung ? " yet" : ""): \(words).")
    }
  }

  /// The latest age at which both releases are known.
  static func comparedAge(_ standing: Standing) -> Adoption.Age? {
    standing.sinceRelease?.ages.last { $0.difference?.value != nil && $0.seconds <= standing.facts.followed ?? 0 }
  }

  private static func figures(_ standing: Standing) -> [HTML] {
    guard let own = standing.own else { return [] }
    let counts = own.counts
    var figures: [HTML] = []
    figures.append("Adoption, counted: \(counts.observedHTML)")
    if let row = standing.failed {
      figures.append(
        """
        First attempts that failed: \(row.rate.html(.share)) of \(Number.count(row.attempts)) devices, \
        \(row.stopRule.judged.map { "against a limit of \(Number.share($0))" as HTML } ?? "with no limit set")
        """)
    }
    if let median = own.median { figures.append("Median time to update: \(median.html(.duration))") }
    return figures
  }
}

extension RiskCounts {
  /// `67.9%, 3,626 of 5,339 eligible devices`
  var observedHTML: HTML {
    let share = observedShare.map { Number.share($0) } ?? "—"
    return "\(share), \(Number.count(events)) of \(Number.count(devices)) eligible devices"
  }
}

extension Panel {
  static let verdict = Panel(
    name: "verdict", scope: .release, place: .wide, options: [],
    purpose: "How the release fares in a word, and the figures behind it",
    reads: { context in context.release?.standing.exhibits ?? [] }
  ) { context in
    guard let release = context.release else { return .empty }
    return Verdict(release.standing, now: context.site.now).html
  }

  static let tiles = Panel(
    name: "tiles", scope: .release, place: .wide, options: [],
    purpose: "Devices, adoption and its difference at equal age, median, 90th percentile, failures and reach",
    reads: { context in context.release.map { $0.standing.exhibits + [Exhibit($0.reach)] } ?? [] }
  ) { context in
    guard let release = context.release, let own = release.own else { return .empty }
    return Tile.list(
      [devicesTile(own)] + [adoptionTile(own), differenceTile(release)].compactMap(\.self) + timeTiles(own)
        + [failureTile(release), reachTile(release)].compactMap(\.self))
  }

  private static func devicesTile(_ own: TimeToUpdate) -> Tile {
    Tile(
      "Eligible devices", Number.count(own.counts.devices), "\(Number.count(own.counts.events)) have updated",
      "\(Number.count(own.counts.censored)) have not, as far as known")
  }

  private static func adoptionTile(_ own: TimeToUpdate) -> Tile? {
    own.counts.observedShare.map { share in
      Tile(
        "Adoption", Number.share(share),
        "\(Number.count(own.counts.events)) of \(Number.count(own.counts.devices)) eligible devices",
        "counted, not estimated")
    }
  }

  private static func differenceTile(_ release: ReleaseAnswers) -> Tile? {
    guard let reference = release.standing.sinceRelease?.baseline else { return nil }
    let title = "Against \(Name(reference.release).shortened(to: 20))"
    guard let age = Verdict.comparedAge(release.standing), let difference = age.difference else {
      return Tile(title, "—", "not followed to the same age")
    }
    return Tile(
      title, difference.valueHTML(.points), difference.intervalHTML(.points),
      "both at \(Console.duration(seconds: Double(age.seconds)))")
  }

  private static func timeTiles(_ own: TimeToUpdate) -> [Tile] {
    [(0.5, "Median time to update"), (0.9, "Nine in ten updated after")].compactMap { p, title in
      own.quantile(p).map {
        Tile(title, $0.valueHTML(.duration), $0.intervalHTML(.duration), "on each device’s own clock")
      }
    }
  }

  private static func failureTile(_ release: ReleaseAnswers) -> Tile? {
    release.standing.failed.map { row in
      Tile(
        "Failed first attempts", row.rate.valueHTML(.share), row.rate.intervalHTML(.share),
        "\(Number.count(row.failed)) of \(Number.count(row.attempts)) devices",
        row.stopRule.judged.map { "limit \(Number.share($0))" } ?? "no limit set")
    }
  }

  private static func reachTile(_ release: ReleaseAnswers) -> Tile? {
    guard let window = release.reach.data.first?.windows.first, window.reachable > 0 else { return nil }
    return Tile(
      "Run it now", window.exactly.share.valueHTML(.share), window.exactly.share.intervalHTML(.share),
      "\(Number.count(window.exactly.devices)) of \(Number.count(window.reachable)) reachable devices")
  }
}
