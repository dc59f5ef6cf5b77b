internal import Console
internal import Query
internal import Statistics

extension PanelContext {
  /// The comparison of mechanisms, of the newest release that enough devices have.
  var mechanisms: Counted<Mechanisms>? { site.mechanisms?.data.first }
  /// The answers of the release that it is about.
  var taken: ReleaseAnswers? { mechanisms.flatMap { row in site.releases.first { $0.facts.label == row.release } } }
  var readsMechanisms: [Exhibit] { [site.mechanisms.map { Exhibit($0) }].compactMap(\.self) }

  var noMechanisms: HTML { "No device has updated yet, or too few have." }
  var takenName: HTML { Name(taken?.facts.label ?? "").html() }
}

extension Panel {
  static let mechanismVerdict = Panel(
    name: "mechanism-verdict", scope: .site, place: .wide, options: [.title],
    purpose: "Which mechanism brought the newest release to most devices, and what may not be concluded",
    reads: { $0.readsMechanisms }
  ) { context in
    guard let row = context.mechanisms, let age = lastAge(row, upTo: context.taken?.facts.followed) else {
      return context.missing("What brings updates", context.noMechanisms)
    }
    let facts = context.taken?.facts
    let order = age.shares.filter { $0.events > 0 }.sorted { ($1.events, $0.mechanism) < ($0.events, $1.mechanism) }
    guard let top = order.first else { return context.missing("What brings updates", "No device has updated yet.") }
    let part =
      order.count > 1 && order[1].events == top.events
      ? "as many of them as \(order[1].mechanism.mechanismWords)"
      : (top.share.value ?? 0) > 0.5 ? "most of them" : "more of them than anything else"
    let words: HTML = """
      \(Number.duration(Double(age.seconds))) after devices could have \(context.takenName), \
      \(top.mechanism.mechanismWords) had brought it to \(part): \(top.told.html(.share)) of \
      \(Number.counted(row.counts.devices, "device")).\
      \(second(age, top, order))
      """
    let channel: HTML = facts.map { " on \(Name($0.channel).html())" } ?? ""
    return context.section(
      "What brought \(Name(facts?.label ?? "the newest release").shortened(to: 40))",
      "<div class=verdict><p>\(words)</p>\(caveat(row))</div>",
      note(
        "Looked at is the newest release that a hundred devices have updated to, else the one with most updates\(channel)."
      ), row.figures.polled.map { note(polledShareWords($0)) } ?? "")
  }

  /// What may not be concluded from shares; what the arms of a random hold-out say may be.
  private static func caveat(_ row: Counted<Mechanisms>) -> HTML {
    let isAssigned = row.figures.experiment?.warnings.isEmpty ?? false
    let remedy: HTML =
      isAssigned
      ? "What pushing causes, the random hold-out tells: devices were assigned to its arms at random."
      : "To learn that, hold pushes back from a random few devices and report their <code>arm</code>."
    return """
      <p><strong class=calm>\(isAssigned ? "These shares are not a cause." : "Not a cause.")</strong> A phone that is used often is \
      reached sooner by every mechanism. Shares say what happened, not what would happen without a mechanism. \(remedy)</p>
      """
  }

  private static func second(_ age: Mechanisms.Age, _ top: Mechanisms.Share, _ order: [Mechanisms.Share]) -> HTML {
    guard order.count > 1,
      let pair = age.differences.first(where: {
        Set([$0.first, $0.second]) == [top.mechanism, order[1].mechanism] && $0.share.value != nil
      })
    else { return "" }
    let (one, other) = (pair.first.mechanismWords, pair.second.mechanismWords)
    return " \(one.capitalizedFirst) − \(other): \(pair.share.html(.points))."
  }

  /// The last one that the release was followed to, where there is any.
  private static func lastAge(_ row: Counted<Mechanisms>, upTo followed: Int64?) -> Mechanisms.Age? {
    let known = row.ages.filter { age in age.shares.contains { $0.share.value != nil } }
    return known.last { $0.seconds <= followed ?? .max } ?? known.first
  }

  static let mechanismCurves = Panel(
    name: "mechanism-curves", scope: .site, place: .wide, options: [.title, .horizon],
    purpose: "How the newest release came to devices by mechanism, and how far mechanisms are apart at some ages",
    reads: { context in
      context.readsMechanisms + (context.taken.map { [Exhibit($0.standing.speed), Exhibit($0.waiting)] } ?? [])
    }
  ) { context in
    guard let row = context.mechanisms, let release = context.taken, let own = release.own else { return .empty }
    let text = "Shares of all devices by what brought them the release; they add up to all updates."
    var drawn = timeChart(release, own, context)
    drawn.readings = readings(row)
    let chart = drawn.drawn(with: context.detail).picture(
      id: context.picture, title: "Updates to \(release.facts.label) by mechanism")
    return context.section(
      "Who was there first", paragraph("\(text)", of: context.picture), chart.html, shares(row).html, differences(row))
  }

  /// What each had brought by the ages of the table.
  private static func readings(_ row: Counted<Mechanisms>) -> [StepChart.Reading] {
    let kinds = kinds(row)
    return shown(row).map { age in
      let brought = age.shares.filter { $0.events > 0 }
      let told = brought.isEmpty ? age.shares.filter { kinds.contains($0.mechanism) } : brought
      let parts = told.map { "\($0.mechanism.mechanismWords) \($0.told.reading)" }
      return StepChart.Reading(
        seconds: Double(age.seconds),
        words:
          "\(duration(seconds: Double(age.seconds))): \((parts + ["still waiting \(age.waiting.reading)"]).joined(separator: ", "))"
      )
    }
  }

  /// Those that have brought it to anybody by the last age.
  private static func kinds(_ row: Counted<Mechanisms>) -> [String] {
    shown(row).last?.shares.filter { $0.events > 0 }.map(\.mechanism) ?? []
  }

  private static func shown(_ row: Counted<Mechanisms>) -> [Mechanisms.Age] {
    row.ages.filter { age in age.shares.contains { $0.share.value != nil } }
  }

  private static func shares(_ row: Counted<Mechanisms>) -> DataTable {
    let (ages, kinds) = (shown(row), kinds(row))
    func share(_ kind: String, _ age: Mechanisms.Age) -> HTML {
      age.shares.first { $0.mechanism == kind }?.told.html(.share) ?? Number.none("no update")
    }
    return DataTable(
      caption: "Shares of all devices by age, with 95% intervals; each row adds up to everybody", isStacked: true,
      columns: [.init("Age")] + kinds.map { .init($0.mechanismWords) } + [.init("still waiting")],
      rows: ages.map { age in
        [Number.duration(Double(age.seconds))] + kinds.map { share($0, age) } + [age.waiting.html(.share)]
      })
  }

  private static func differences(_ row: Counted<Mechanisms>) -> HTML {
    let ages = shown(row)
    let pairs = ages.last?.differences ?? []
    guard !pairs.isEmpty else { return "" }
    let rows = pairs.map { pair -> [HTML] in
      ["\(pair.first.mechanismWords) − \(pair.second.mechanismWords)"]
        + ages.map { age in
          age.differences.first { $0.first == pair.first && $0.second == pair.second }?.share.html(.points)
            ?? Number.none("no update yet")
        }
    }
    return DataTable(
      caption: "Differences between mechanisms at the same age of the same devices, with 95% intervals",
      isStacked: true,
      columns: [.init("Difference")] + ages.map { .init(Console.age(seconds: $0.seconds)) }, rows: rows
    ).html
  }
}
