internal import Answers
internal import Lifecycle
internal import Query
internal import Report
internal import Store

/// The questions that pages ask of a database, each as a command line asks it.
struct Asking {
  var order: SiteOrder
  var app: String
  var cutOff: Timestamp
  let timeline: Timeline
  /// What is counted already.
  var ledger = Ledger()
  /// Channels that have pages.
  let looked: LookedChannels
  var now: Timestamp { order.now }

  init(_ order: SiteOrder, _ vocabulary: Vocabulary) throws {
    self.order = order
    app = try vocabulary.chosenApp(order.app)
    looked = LookedChannels(vocabulary, Timeline(vocabulary, app: app))
    cutOff = CutOff(vocabulary, app: app, now: order.now).at
    timeline = Timeline(vocabulary, app: app, until: order.now)
  }

  func chosen(_ snapshot: borrowing Snapshot, _ label: ReleaseLabel) throws -> ReleaseScope {
    var chosen = try ReleaseScope(label, of: app, timeline, now: order.now)
    chosen.selection.minCell = order.minCell
    return chosen
  }

  /// Time at risk for all that is said of a release.
  func ground(_ snapshot: borrowing Snapshot, _ chosen: ReleaseScope) throws -> [Counts] {
    var chosen = chosen
    let aged = try Adoption.Question(snapshot.vocabulary, released(chosen))
    if chosen.selection.channels.isEmpty { chosen.selection.by = [.appVersion] }
    var options = Adoption.Options()
    options.baseline = .none
    return [aged.counts, try Adoption.Question(snapshot.vocabulary, chosen, options).counts]
  }

  /// What a release's pages show, one a channel; none of a channel where it is yet to be published.
  func release(
    _ snapshot: borrowing Snapshot, _ label: ReleaseLabel, _ name: String
  ) throws -> [Planned<ReleaseAnswers>] {
    let chosen = try chosen(snapshot, label)
    let lead = try leadChannel(snapshot, chosen)
    let others = channels(of: chosen).filter { $0 != lead }
    let places = [(lead, name)] + others.enumerated().map { ($1, "\(name)-c\($0)") }
    var across: [Int64: Asked<Counted<Adoption>>] = [:]
    return try places.compactMap { channel, name in
      try page(snapshot, chosen, facts(chosen, on: channel, lead: lead), name, &across)
    }
  }

  private func page(
    _ snapshot: borrowing Snapshot, _ everywhere: ReleaseScope, _ facts: ReleaseFacts, _ name: String,
    _ across: inout [Int64: Asked<Counted<Adoption>>]
  ) throws -> Planned<ReleaseAnswers>? {
    if let published = facts.publishedAt, published > order.now { return nil }
    var chosen = everywhere
    if chosen.timeline.channels.contains(facts.channel) { chosen.selection.channels = [facts.channel] }
    let segments = try segments(snapshot, everywhere, chosen, facts, name, &across)
    let waiting = try adoption(snapshot, chosen, "\(name)-waiting", ages: facts.ages, points: 2, baseline: .none)
    let standing = try standing(snapshot, chosen, facts, name)
    let vocabulary = snapshot.vocabulary
    let reach = plan("\(name)-reach", chosen, [], Reach.Question(vocabulary, chosen))
    let funnel = plan(
      "\(name)-funnel", chosen, [quantiles(Funnel.Options().quantiles)], Funnel.Question(vocabulary, chosen))
    let forecast =
      facts.supersededAt == nil ? plan("\(name)-forecast", chosen, [], Forecast.Question(vocabulary, chosen)) : nil
    let newest = try newest(snapshot, chosen, facts, name)
    let more = try facts.supersededAt == nil ? toldApart(snapshot, chosen, facts, name) : []
    let counts =
      standing.counts + reach.counts + funnel.counts + (forecast?.counts ?? []) + more.flatMap(\.counts)
      + (newest?.counts ?? [])
    return Planned(counts) { ledger, snapshot in
      var answers = ReleaseAnswers(
        standing: try standing.value(ledger, snapshot), waiting: waiting,
        segments: try segments + more.map { try $0.value(ledger, snapshot) },
        reach: try reach.value(ledger, snapshot), funnel: try funnel.value(ledger, snapshot),
        forecast: try forecast?.value(ledger, snapshot), newest: try newest?.value(ledger, snapshot))
      answers.attested = try snapshot.attestedDevices(of: app)
      if facts.supersededAt == nil ? answers.standing.isHarmful : answers.standing.isStopped {
        let suspects = plan("\(name)-suspects", chosen, [], Suspects.Question(vocabulary, chosen))
        answers.suspects = try suspects.value(ledger, snapshot)
      }
      return answers
    }
  }

  /// The newest release of each channel, on each platform, and behind these what other devices still get, and what they take and nobody
  /// registered, though it is to be stopped.
  func current(_ snapshot: borrowing Snapshot, known: [Standing]) throws -> [Planned<Standing>] {
    let strays = try snapshot.strayPublications(of: app, channels: [], now: now)
    let beside = known.filter { one in
      one.isStopped && (one.facts.supersededAt != nil || isStray(one.facts, strays))
    }
    return try newest(snapshot, known: known) + beside.map { standing in Planned([]) { _, _ in standing } }
  }

  /// Whether nobody registered it, and devices take it beside what is the newest there.
  private func isStray(_ facts: ReleaseFacts, _ strays: [StrayPublication]) -> Bool {
    guard !timeline.current(on: facts.channel, at: now).contains(where: { $0.label.rawValue == facts.label }) else {
      return false
    }
    return strays.contains { stray in
      guard stray.fault == .unregistered, stray.platform == nil else { return false }
      return stray.release.rawValue == facts.label && stray.channel == facts.channel
    }
  }

  private func newest(_ snapshot: borrowing Snapshot, known: [Standing]) throws -> [Planned<Standing>] {
    let timeline = Timeline(snapshot.vocabulary, app: app)
    let channels = looked.channels.sorted(by: channelsInOrder)
    let newest = channels.enumerated().flatMap { index, channel in
      timeline.current(on: channel, at: order.now).enumerated().map { place, release in
        (release: release, channel: channel, name: place == 0 ? "c\(index)" : "c\(index)-\(place)")
      }
    }
    return try newest.map { newest, channel, name in
      if let standing = known.first(where: {
        $0.facts.label == newest.label.rawValue && $0.facts.channel == channel
      }) {
        return Planned([]) { _, _ in standing }
      }
      var chosen = try chosen(snapshot, newest.label)
      chosen.selection.channels = [channel]
      return try standing(snapshot, chosen, facts(chosen, on: channel, lead: channel), name)
    }
  }

  func standing(
    _ snapshot: borrowing Snapshot, _ chosen: ReleaseScope, _ facts: ReleaseFacts, _ name: String
  ) throws -> Planned<Standing> {
    var speed = TimeToUpdate.Options()
    (speed.points, speed.bands) = (Standing.points, order.bands)
    let adoption = try adoption(
      snapshot, released(chosen), "\(name)-adoption", ages: facts.ages, points: Standing.points, baseline: .auto)
    let own = try plan(
      "\(name)-time-to-update", chosen, [("points", "\(Standing.points)")] + order.bandWords,
      TimeToUpdate.Question(snapshot.vocabulary, chosen, speed)
    ).value(ledger, snapshot)
    let failures = plan("\(name)-failures", chosen, [], Failures.Question(snapshot.vocabulary, chosen))
    let verdict = try verdict(snapshot, chosen, facts, name)
    return Planned(failures.counts + verdict.counts) { ledger, snapshot in
      Standing(
        facts: facts, adoption: adoption, speed: own, failures: try failures.value(ledger, snapshot),
        verdict: try verdict.value(ledger, snapshot))
    }
  }

  /// On the clock that starts at publication.
  private func released(_ chosen: ReleaseScope) -> ReleaseScope {
    var aged = chosen
    aged.selection.clock = .releaseAge
    return aged
  }

  func adoption(
    _ snapshot: borrowing Snapshot, _ chosen: ReleaseScope, _ name: String, ages: [Int64], points: Int,
    baseline: Baseline
  ) throws -> Asked<Counted<Adoption>> {
    try planned(snapshot, chosen, name, ages: ages, points: points, baseline: baseline).value(ledger, snapshot)
  }

  func planned(
    _ snapshot: borrowing Snapshot, _ chosen: ReleaseScope, _ name: String, ages: [Int64], points: Int,
    baseline: Baseline
  ) throws -> Planned<Asked<Counted<Adoption>>> {
    var options = Adoption.Options()
    options.ages = ages.map { .seconds($0) }
    (options.points, options.baseline, options.bands) = (points, baseline, order.bands)
    var words = [("at", seconds(ages)), ("points", "\(points)")] + order.bandWords
    if case .none = baseline { words.append(("baseline", "none")) }
    if chosen.selection.clock == .releaseAge { words.append(("clock", "release-age")) }
    if chosen.selection.isProvisional { words.append(("provisional", "")) }
    return try plan(name, chosen, words, Adoption.Question(snapshot.vocabulary, chosen, options))
  }

  private func leadChannel(_ snapshot: borrowing Snapshot, _ chosen: ReleaseScope) throws -> String {
    var split = chosen
    split.selection.by = [.channel]
    var options = Adoption.Options()
    (options.points, options.baseline, options.ages) = (2, .none, [])
    let asked = try Adoption.Question(snapshot.vocabulary, split, options)
    let busiest = try snapshot.ask(asked, ledger).data.max {
      ($0.counts.devices, $1.group.channel ?? "") < ($1.counts.devices, $0.group.channel ?? "")
    }
    if let busiest, busiest.counts.devices > 0, let channel = busiest.group.channel { return channel }
    return chosen.timeline.channels(of: chosen.target.id).first ?? "production"
  }

  /// Those that it came to, as far as they have pages.
  private func channels(of chosen: ReleaseScope) -> [String] {
    chosen.timeline.channels(of: chosen.target.id).filter(looked.channels.contains)
  }

  func facts(_ chosen: ReleaseScope, on channel: String, lead: String) -> ReleaseFacts {
    let (timeline, id) = (chosen.timeline, chosen.target.id)
    let start = timeline.start(id, channel: channel, platform: nil)
    let end = timeline.replacedAt(id, channel: channel).flatMap { $0 <= now ? $0 : nil }
    return ReleaseFacts(
      label: chosen.target.label.rawValue, channel: channel,
      alsoOn: channels(of: chosen).filter { other in
        other != channel && timeline.start(id, channel: other, platform: nil).map { $0.publishedAt <= now } ?? false
      }, isLead: channel == lead,
      publishedAt: start?.publishedAt, isInferred: start?.isInferred ?? false, rollout: start?.rollout ?? [],
      starts: timeline.starts(id, channel: channel), mandatory: start?.mandatory ?? false, supersededAt: end,
      haltedAt: timeline.haltedAt(id, channel: channel), cutOff: cutOff,
      isTooNew: start.map { CutOff.isTooNew($0.publishedAt, cutOff, now: now) } ?? false)
  }

  func quantiles(_ shares: [Double]) -> (String, String) {
    ("quantiles", shares.map { "\($0)" }.joined(separator: ","))
  }

  func seconds(_ ages: [Int64]) -> String { ages.map { "\($0)s" }.joined(separator: ",") }
}

extension SiteOrder {
  /// As a command line says it; the usual has its default.
  fileprivate var bandWords: [(String, String)] { bands == .pointwise ? [] : [("bands", bands.rawValue)] }
}
