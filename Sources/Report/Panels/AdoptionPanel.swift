internal import Console
internal import Lifecycle
internal import Query
internal import Statistics

extension Panel {
  static let adoption = Panel(
    name: "adoption", scope: .release, options: [.title, .horizon],
    purpose: "Share updated since publication against the release before at equal age, with rollout steps"
  ) { context in
    guard let release = context.release, let own = release.sinceRelease,
      let followed = release.followed(until: context.site.now)
    else { return context.missing("Adoption", "Nothing is known of this release since a publication.") }
    let chart = chart(release, own, followed, context)
    let words = finding(release, own, context)
    return context.section(
      "Adoption since publication",
      paragraph(words.html),
      chart.picture(
        id: context.id + "-p", title: "Adoption of \(release.facts.label) since publication", finding: words.text
      ).html,
      note(
        "The band is the 95% interval at each age. Devices enter when their rollout step, or their first contact, lets them; "
          + "they leave unupdated when silent for four weeks or when the next release is published."),
      table(release, own, context).behind)
  }

  private static func chart(
    _ release: ReleaseAnswers, _ own: TimeToUpdate, _ followed: Double, _ context: PanelContext
  ) -> StepChart {
    let window = context.options.horizon ?? 14 * 86_400
    let longest = max(followed, Double(own.curve.last?.seconds ?? 0))
    let horizon = min(window, max(longest, 86_400))
    var lines = [own.line(Name(release.facts.label).shortened(to: 18), .main, until: longest)]
    if let baseline = context.baseline, let old = baseline.sinceRelease {
      var line = old.line(
        Name(baseline.facts.label).shortened(to: 18), .baseline,
        until: baseline.followed(until: context.site.now) ?? 0)
      line.hasBand = false
      lines.append(line)
    }
    let markers = release.facts.rollout.compactMap { step in
      release.facts.publishedAt.map {
        StepChart.Marker(
          seconds: Double((step.at - $0).rawValue) / 1000, label: "\(percentText(step.percent)) may have it")
      }
    }
    return StepChart(
      lines: lines, markers: markers, axis: "time since publication", ticks: Ticks.labelledAges(to: horizon),
      horizon: horizon)
  }

  private static func finding(
    _ release: ReleaseAnswers, _ own: TimeToUpdate, _ context: PanelContext
  ) -> (html: HTML, text: String) {
    guard let last = own.curve.last else {
      return ("No device has updated yet.", "No device has updated yet.")
    }
    let age = Console.duration(seconds: Double(last.seconds))
    let label = release.facts.label
    var html: HTML = "\(age) after publication \(last.share.html(.share)) of the devices had \(Name(label).html())"
    var text = "\(age) after publication \(last.share.text(.share)) of the devices had \(label)"
    if let baseline = context.baseline, let old = baseline.sinceRelease?.point(by: Double(last.seconds)) {
      let name = baseline.facts.label
      html += "; at the same age it was \(old.share.html(.share)) for \(Name(name).html())"
      text += "; at the same age it was \(old.share.text(.share)) for \(name)"
    }
    return (html + ".", text + ".")
  }

  private static func table(_ release: ReleaseAnswers, _ own: TimeToUpdate, _ context: PanelContext) -> DataTable {
    let old = context.baseline?.sinceRelease
    var columns: [DataTable.Column] = [
      .init("Age"), .init("Waiting"), .init("Updated at that second"), .init("Adoption"),
    ]
    if let baseline = context.baseline, old != nil {
      columns.append(.init(Name(baseline.facts.label).shortened(to: 24)))
    }
    let rows = spread(own.curve, 14).map { point -> [HTML] in
      let cells: [HTML] = [
        Number.duration(Double(point.seconds)), Number.devices(point.atRisk), Number.devices(point.events),
        point.share.html(.share),
      ]
      let before = old.map { $0.point(by: Double(point.seconds))?.share.html(.share) ?? Number.none("no update yet") }
      return cells + [before].compactMap(\.self)
    }
    return DataTable(
      caption:
        "Adoption of \(Name(release.facts.label).shortened(to: 40)) by age since publication, with 95% intervals",
      columns: columns, rows: rows)
  }

  static func percentText(_ value: Double) -> String {
    decimal(value, value == value.rounded() ? 0 : 1) + "%"
  }
}
