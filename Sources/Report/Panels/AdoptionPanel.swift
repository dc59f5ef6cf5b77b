internal import Console
internal import Lifecycle
internal import Query
internal import Statistics

extension Panel {
  static let adoption = Panel(
    name: "adoption", scope: .release, options: [.title, .horizon],
    purpose: "Share updated since publication against the release before at equal age, with rollout steps",
    reads: { context in
      context.release.map { release in
        let later = release.newest.map { Exhibit($0.adoption) }
        let own = release.facts.isStaged ? Exhibit(release.waiting) : nil
        return [Exhibit(release.standing.adoption)]
          + [own, release.forecast.map { Exhibit($0) }, later].compactMap(\.self)
      } ?? []
    }
  ) { context in
    guard let release = context.release, let row = release.standing.sinceRelease, let followed = release.facts.followed
    else {
      return context.release.flatMap { provisionalAdoption($0, context) }
        ?? context.missing("Adoption", context.release, "Nothing is known of this release since a publication.")
    }
    let chart = chart(release, row, followed, context)
    let finding = finding(release, row) + provisionalWords(release, row) + release.silenceWords
    return context.section(
      "Adoption since publication",
      paragraph(finding, of: context.picture),
      chart.drawn(with: context.detail).picture(
        id: context.picture, title: "Adoption of \(release.facts.label) since publication"
      ).html,
      row.figures.polled.map { note(polledWords($0)) } ?? "",
      note(
        """
        \(row.figures.polled == nil ? bandWords(release.standing.adoption.query, row.figures.band) + " " : "")Devices enter when their rollout \
        step, or their first contact, lets them; they leave unupdated when silent for the reach window, or when the \
        rollout is halted or the next release published.\(newest(release, row) == nil ? "" : release.newestNote)
        """),
      foretold(release), table(release, row, upTo: followed).behind)
  }

  static func chart(
    _ release: ReleaseAnswers, _ row: Counted<Adoption>, _ followed: Int64, _ context: PanelContext
  ) -> StepChart {
    let end = forecast(release)?.curve.last { $0.share.value != nil }?.seconds ?? 0
    let newest = newest(release, row)?.age ?? 0
    let horizon = StepChart.horizon(
      max(followed, newest, end), atMost: context.options.horizon.map { Int64($0) } ?? 14 * 86_400)
    var lines = [line(release, row, followed)]
    // A name beside nothing would stand for a line at the beginning.
    if let reference = row.baseline, !reference.curve.points.isEmpty {
      let until = reference.curve.points.last.map { Double($0.seconds) } ?? 0
      var line = StepChart.Line(Name(reference.release).shortened(to: 18), .baseline, reference.curve, until: until)
      line.hasBand = false
      lines.append(line)
    }
    if let forecast = forecast(release) {
      lines.append(line(forecast, release.standing.latest))
    }
    let markers = (row.publications.first?.rollout ?? []).map { step in
      StepChart.Marker(seconds: Double(step.ageSeconds), label: stepText(step.percent))
    }
    let ticks = Ticks.labelledAges(to: Double(horizon))
    return StepChart(
      lines: lines, markers: markers, axis: "time since publication", ticks: ticks, horizon: Double(horizon),
      risk: StepChart.riskRows(release.standing.sinceRelease, ticks),
      readings: readings(release, row, followed))
  }

  /// What came after the cutoff. What is estimated between checks is not drawn on: later checks change what was before them.
  private static func newest(_ release: ReleaseAnswers, _ row: Counted<Adoption>) -> NewestHours? {
    row.figures.polled == nil ? release.newest : nil
  }

  private static func provisionalWords(_ release: ReleaseAnswers, _ row: Counted<Adoption>) -> HTML {
    guard release.isMostlyNew, let newest = newest(release, row), let known = newest.sinceRelease else { return "" }
    return " \(newest.end), provisional: \(known.counts.observedHTML)."
  }

  /// Until now where it is worth a look, faint from the cutoff on; that far both answers are the same.
  private static func line(
    _ release: ReleaseAnswers, _ row: Counted<Adoption>, _ followed: Int64
  ) -> StepChart.Line {
    let (name, newest) = (Name(release.facts.label).shortened(to: 18), newest(release, row))
    if let polled = row.figures.polled { return StepChart.Line(name, .main, polled, until: Double(followed)) }
    let curve = newest?.sinceRelease?.curve ?? row.curve
    let until = min(max(followed, newest?.age ?? 0), curve.lostFromSeconds ?? .max)
    var line = StepChart.Line(name, .main, curve, until: Double(until))
    let provisional = newest?.sinceRelease == nil ? nil : Double(followed)
    line.fadesFrom = [line.fadesFrom, provisional, release.silentFrom].compactMap(\.self).min()
    return line
  }

  private static func readings(
    _ release: ReleaseAnswers, _ row: Counted<Adoption>, _ followed: Int64
  ) -> [StepChart.Reading] {
    let name = Name(release.facts.label).shortened(to: 18)
    let later = StepChart.readings(newest(release, row)?.sinceRelease, "provisional, \(name)", until: .max)
    return StepChart.readings(row, name, until: followed) + later.filter { $0.seconds > Double(followed) }
  }

  private static func finding(_ release: ReleaseAnswers, _ row: Counted<Adoption>) -> HTML {
    guard let latest = release.standing.latest, latest.share.value != nil else {
      return row.counts.events == 0
        ? "No device has updated yet." : "\(row.counts.observedHTML) had updated to it.\(release.lost(row) ?? "")"
    }
    let age = Console.duration(seconds: Double(latest.seconds))
    let counts: HTML =
      release.standing.isOfOffered
      ? """
      \(Number.count(row.counts.events)) of \(Number.count(row.counts.devices)) devices had updated to \
      \(Name(release.facts.label).html()), and nobody knows how many of them were let have it. Estimated for any of them since the
      """
      : """
      \(row.counts.observedHTML) had updated to \(Name(release.facts.label).html()). Estimated for a device that could have it \
      since the
      """
    var words: HTML = "\(counts) publication: \(latest.told.html(.share)) after \(age)"
    if let reference = row.baseline, let compared = release.standing.comparedAge,
      let difference = compared.difference
    {
      let at = compared.seconds == latest.seconds ? "" : " at \(Console.duration(seconds: Double(compared.seconds)))"
      words += ", \(difference.html(.points))\(at) against \(Name(reference.release).html()) at the same age"
    }
    return words + "." + release.caveat(at: latest.seconds)
  }

  static func table(_ release: ReleaseAnswers, _ row: Counted<Adoption>, upTo longest: Int64) -> DataTable {
    var columns: [DataTable.Column] = [.init("Age"), .init("Waiting"), .init("Updated so far"), .init("Adoption")]
    if let reference = row.baseline {
      columns += [.init(Name(reference.release).shortened(to: 24)), .init("Difference")]
    }
    // The newest age may read like one of the others; it says more.
    let all = row.ages.filter { $0.seconds <= longest }
    let ages = all.indices.filter { $0 + 1 == all.count || words(all[$0]) != words(all[$0 + 1]) }.map { all[$0] }
    let rows = ages.map { age -> [HTML] in
      let cells: [HTML] = [
        Number.duration(Double(age.seconds)), Number.count(age.atRisk), Number.count(age.events),
        age.told.html(.share),
      ]
      guard row.baseline != nil else { return cells }
      return cells + [
        age.baselineTold?.html(.share) ?? Number.none("no device"),
        age.difference?.html(.points) ?? Number.none("not compared"),
      ]
    }
    return DataTable(
      caption:
        "Adoption of \(Name(release.facts.label).shortened(to: 40)) by age since publication, with \(limitWords(release.standing.adoption.query))",
      columns: columns, rows: rows)
  }

  private static func words(_ age: Adoption.Age) -> String { Console.duration(seconds: Double(age.seconds)) }

  /// What a step of a rollout is called beside a picture.
  static func stepText(_ percent: Double) -> String { percent == 0 ? "halted" : percentText(percent) }

  static func percentText(_ value: Double) -> String {
    decimal(value, value == value.rounded() ? 0 : 1) + "%"
  }
}

extension ReleaseAnswers {
  /// Who is let in by a later step updates at once, which counts since the publication as if all had waited so long.
  fileprivate func caveat(at seconds: Int64) -> HTML {
    guard facts.isStaged else { return "" }
    return """
       The rollout came in steps: who was let in later updated at once, so that this may be too high.\(ownClock(at: seconds))
      """
  }

  /// What is known of devices that waited as long, or of those that waited longest.
  private func ownClock(at seconds: Int64) -> HTML {
    guard let row = waiting.data.first(where: { $0.counts.devices > 0 }),
      let age = row.ages.last(where: { $0.seconds <= seconds && $0.share.value != nil })
    else { return "" }
    let after = age.seconds == seconds ? "as long" : Console.duration(seconds: Double(age.seconds))
    return """
       On each device’s own clock, from when it could have it, \(age.told.html(.share)) have it after \(after).
      """
  }

  /// Where nothing is estimated since the publication any more.
  fileprivate func lost(_ row: Counted<Adoption>) -> HTML? {
    guard standing.latest?.share.reason == .enteredLater, let from = row.curve.lostFromSeconds else { return nil }
    let known = facts.isStaged ? ownClock(at: facts.followed ?? 0) : ""
    return """
       Beyond \(Console.duration(seconds: Double(from))) after the publication nothing is estimated: few devices, or none, \
      were left when others came in.\(known)
      """
  }
}

extension StepChart {
  /// The axis of a release's first day ends at the first of these that holds what is known of it: 1, 3, 6, 12 and 24 hours.
  private static let firstDay: [Int64] = [3600, 10_800, 21_600, 43_200, 86_400]

  /// How long a time axis is: about as long as the release was followed, at most so long.
  static func horizon(_ followed: Int64, atMost longest: Int64) -> Int64 {
    min(longest, firstDay.first { followed <= $0 } ?? followed)
  }

  /// How many wait and how many have updated at each tick.
  static func riskRows(_ row: Counted<Adoption>?, _ ticks: [Tick]) -> [RiskRow] {
    guard let row else { return [] }
    // At an age that nobody has reached nobody can wait.
    let known = row.ages.filter { $0.share.reason != .beyondFollowUp }
    func numbers(_ number: (Adoption.Age) -> Int) -> [String?] {
      ticks.map { tick in known.first { $0.seconds == Int64(tick.value) }.map { grouped(number($0)) } }
    }
    return [
      RiskRow(name: "Waiting", numbers: numbers(\.atRisk)), RiskRow(name: "Updated so far", numbers: numbers(\.events)),
    ]
  }
}
