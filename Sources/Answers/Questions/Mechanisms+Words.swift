internal import Console
internal import Query
internal import Statistics

extension Counted<Mechanisms> {
  /// The mechanisms that delivered anything.
  var delivering: [String] {
    (figures.ages.last?.shares.map(\.mechanism) ?? []).filter { name in
      events(by: name) > 0 || figures.legs.contains { $0.mechanism == name && $0.delivered > 0 }
    }
  }

  /// `newerRelease` is no mechanism, but competes with them.
  func events(by name: String) -> Int {
    name == "newerRelease" ? counts.newerRelease : counts.eventsByMechanism[name] ?? 0
  }

  var notes: [String] {
    let ratios = figures.hazardRatios.filter { min($0.firstEvents, $0.secondEvents) * 20 >= counts.events }
    let unreported = figures.withoutDelivery
    return ratios.compactMap(\.words)
      + (unreported > 0 ? ["\(Answers.counted(unreported, "update")) of which nobody reported when it was ready"] : [])
      + (figures.experiment?.words ?? [])
  }

  /// What the system did is known by platform alone.
  ///
  /// - Parameters:
  ///   - isOfAll: rows are split by something else, too.
  ///   - isByAge: clocks start at publication.
  func wayNotes(isOfAll: Bool, isByAge: Bool) -> [String] {
    counts.devices > 0
      ? figures.ways.map { way in
        way.words(
          isOfAll ? group.platform.map { "all of \($0)" } ?? "all devices" : nil, release: figures.release,
          updated: events(by: way.mechanism), unnamed: unnamed, isByAge: isByAge)
      } : []
  }

  /// `156 of 156 updates name no mechanism`, where most do not.
  private var unnamed: String? {
    let unknown = counts.unnamedUpdates
    return unknown * 2 > counts.events
      ? "\(grouped(unknown)) of \(Answers.counted(counts.events, "update")) name no mechanism" : nil
  }
}

extension Mechanisms.Age {
  func part(of mechanism: String) -> Mechanisms.Share? { shares.first { $0.mechanism == mechanism } }
}

extension Mechanisms.HazardRatio {
  fileprivate var words: String? {
    guard let value = ratio.value else { return nil }
    let limits = ratio.lo.flatMap { lo in ratio.hi.map { " (\(decimal(lo, 2))–\(decimal($0, 2)))" } }
    return "\(first) was first \(decimal(value, 2)) times as often as \(second)\(limits ?? "")"
  }
}

extension Experiment {
  /// Where the arms are not what they should be, nothing is called an effect.
  fileprivate var words: [String] { comparisons.map { $0.words(isOff: !warnings.isEmpty) } + withheldArms + armless }

  private var withheldArms: [String] {
    let names = arms.filter { $0.devices == nil }.map { harmless($0.arm) }
    if names.isEmpty { return [] }
    return ["random experiment: \(firstFew(names)) \(names.count == 1 ? "has" : "have") fewer devices than --min-cell"]
  }

  private var armless: [String] {
    guard let withoutArm, withoutArm > 0 else { return [] }
    let are = withoutArm == 1 ? "is" : "are"
    let late = namedLate.flatMap { $0 > 0 ? ": \(grouped($0)) named theirs only with the release, or later" : nil }
    return ["random experiment: \(counted(withoutArm, "device")) \(are) in no arm, and in no comparison\(late ?? "")"]
  }
}

extension Experiment.Comparison {
  /// What the arms of a random experiment say, by limits that may be looked at daily.
  fileprivate func words(isOff: Bool) -> String {
    if let seen = always.first(where: { $0.share.reason == .timedByChecks })?.share.reason {
      return "random experiment: \(arm) against \(reference): not compared: \(seen.words)"
    }
    let known = always.filter { $0.share.value != nil }
    let point = known.first { $0.seconds == 86_400 } ?? known.last
    let what = point.map { "\($0.share.pointsWords) adopted by \(age(seconds: $0.seconds)), at all looks together" }
    return "random experiment: \(arm) against \(reference): \(what ?? "nothing to say yet")"
      + (isOff ? "; no effect until the arms are right" : point.map { "; " + Self.conclusion($0.share) } ?? "")
  }

  private static func conclusion(_ difference: Estimate) -> String {
    guard let lo = difference.lo, let hi = difference.hi else {
      return difference.reason.map { "no limits: \($0.words)" } ?? "too little to say"
    }
    return lo > 0 || hi < 0 ? "an effect of the assignment" : "may be no effect: look again whenever you like"
  }
}

extension Mechanisms.Way {
  /// A line of the table that a manual would give in general words, with the fleet's own figures.
  ///
  /// - Parameters:
  ///   - devices: whose figures those of the system are, where the row is of fewer.
  ///   - updated: by it, whenever they were ready.
  ///   - unnamed: how many updates name no mechanism, where most do not.
  ///   - isByAge: clocks start at publication: half of the curve is not half of the devices.
  fileprivate func words(_ devices: String?, release: String, updated: Int, unnamed: String?, isByAge: Bool) -> String {
    let name = way == "silentPush" ? "silent push" : "background refresh"
    let speed = deliverySeconds.map {
      isByAge
        ? "\(counted(delivered, "device")) ready, its curve at half of what it reaches by now after \(duration(seconds: $0))"
        : "half of \(counted(delivered, "device")) ready after \(duration(seconds: $0))"
    }
    let every = interference.medianIntervalSeconds.map {
      "half of all runs came within \(duration(seconds: Double($0))) of the one before"
    }
    let server = needsPushServer ? "needs a push server" : "needs no push server"
    let whose = devices.map { " (\($0))" } ?? ""
    let system = [interference.words(release), every].compactMap { $0.map { $0 + whose } }
    let nothing = unnamed.map { "delivered nothing that is known, as \($0)" } ?? "delivered nothing"
    let parts =
      [speed ?? (updated > 0 ? "delivered, when is not known" : nothing)] + system + [server, "good for \(goodFor)"]
    return "\(name): " + parts.joined(separator: "; ")
  }
}

extension Mechanisms.Interference {
  fileprivate func words(_ release: String) -> String? {
    if let sent, sent > 0 { return pushWords(sent, release) }
    if reason == "noEndsReported" { return "whether runs overrun is not known: none reports its end" }
    return share?.value.map { "up to \(Console.share($0)) overran or were killed" }
  }

  /// Of all releases: what became of pushes is not counted by release here.
  private func pushWords(_ sent: Int, _ release: String) -> String? {
    let whose = "for all releases, not for \(harmless(release)) alone"
    let refused = rejected.flatMap { rejected in
      rejected > 0 ? "the gateway refused \(grouped(rejected)) of \(grouped(sent)) pushes \(whose)" : nil
    }
    if reason == Unestimable.noReceipts.rawValue {
      return [refused, "what the system lost is not known: arrivals are not reported"].compactMap(\.self)
        .joined(separator: "; ")
    }
    if reason == Self.receiptsPartly {
      return [refused, "what the system lost is not known: some devices report no arrival (--by platform shows where)"]
        .compactMap(\.self).joined(separator: "; ")
    }
    let lost = share?.value.map { "the system lost \(Console.share($0)) of" }
    let parts = [refused, lost.map { refused == nil ? "\($0) the pushes \(whose)" : "\($0) those accepted" }]
    let told = parts.compactMap(\.self)
    return told.isEmpty ? nil : told.joined(separator: ", and ")
  }
}
