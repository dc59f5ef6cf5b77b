internal import Console
internal import Lifecycle
internal import Query
internal import Statistics

extension Panel {
  static let outcomes = Panel(
    name: "outcomes", scope: .release, options: [.title, .horizon],
    purpose: "What became of all devices by age: updated by which mechanism, or waiting",
    reads: { context in context.release.map { [Exhibit($0.standing.speed)] } ?? [] }
  ) { context in
    guard let release = context.release, let own = release.own, !own.curve.isEmpty else {
      return context.missing("What became of the devices", context.release, "No device has updated yet.")
    }
    let last = Double(own.curve.last?.seconds ?? 0)
    let horizon = min(context.options.horizon ?? 7 * 86_400, max(last, 3600))
    let text = finding(own, horizon)
    return context.section(
      "What became of the devices",
      paragraph("\(text)", of: context.picture),
      area(own, horizon, context.detail).picture(
        id: context.picture, title: "What became of the devices that could have \(release.facts.label)"
      ).html,
      note("At each age the layers add up to all devices that could have the release."),
      table(release, own).behind)
  }

  private static func area(_ own: TimeToUpdate, _ horizon: Double, _ detail: PageDetail) -> StackedArea {
    let ages = Set(own.mechanisms.flatMap { $0.points.map(\.seconds) }).filter { $0 > 0 && $0 <= horizon }
    let places = [0] + ages.sorted()
    var layers = own.mechanisms.filter { !$0.curve.isEmpty }.map { part in
      StackedArea.Layer(
        name: part.mechanism.mechanismWords, ink: Ink(mechanism: part.mechanism),
        shares: heights(part.points, at: places))
    }
    let sums = places.indices.map { index in layers.reduce(0) { $0 + $1.shares[index] } }
    layers.append(.init(name: "waiting", ink: .waiting, shares: sums.map { max(0, 1 - $0) }))
    return StackedArea(
      places: places, layers: layers, ticks: Ticks.labelledAges(to: horizon), horizon: horizon,
      axis: "time since a device could have it", pixels: detail.pixels)
  }

  /// The curve's height at ascending places.
  private static func heights(_ points: [StepChart.Point], at places: [Double]) -> [Double] {
    var index = 0
    return places.map { place in
      while index < points.count, points[index].seconds <= place { index += 1 }
      return index == 0 ? 0 : points[index - 1].share
    }
  }

  /// At the right end of the picture.
  private static func finding(_ own: TimeToUpdate, _ horizon: Double) -> String {
    let end = Int64(horizon)
    let age = Console.duration(seconds: Double(own.curve.last { $0.seconds <= end }?.seconds ?? end))
    let parts = own.mechanisms.sorted { $0.events > $1.events }.compactMap { part in
      part.curve.last { $0.seconds <= end }.map { "\($0.share.text(.share)) by \(part.mechanism.mechanismWords)" }
    }
    guard !parts.isEmpty else { return "After \(age), all devices were still waiting." }
    let ended = "After \(age), of all devices " + parts.joined(separator: ", ")
    let share = own.mechanisms.reduce(0) { sum, part in
      sum + (part.curve.last { $0.seconds <= end }?.share.value ?? 0)
    }
    // Nobody who waited so long is left; who has waited for less long is none of the rest.
    guard share > 0.9995 else { return ended + "; the rest were still waiting." }
    let (left, all) = (own.counts.censored, own.counts.devices)
    return left == 0
      ? ended + "." : ended + ", as estimated: \(grouped(left)) of \(grouped(all)) have waited for less long."
  }

  private static func table(_ release: ReleaseAnswers, _ own: TimeToUpdate) -> DataTable {
    let rows = own.mechanisms.map { part -> [HTML] in
      let last = part.curve.last
      return [
        "\(part.mechanism.mechanismWords)", Number.count(part.events),
        last.map { Number.duration(Double($0.seconds)) } ?? Number.none("no update yet"),
        last?.share.html(.share) ?? Number.none("no update yet"),
      ]
    }
    let left: [[HTML]] = own.counts.censoredBy.sorted { $0.key < $1.key }.map { reason, count in
      ["\(reason.censoringWords)", Number.count(count), "—", "— <i>left unupdated</i>"]
    }
    return DataTable(
      caption:
        "How the time at risk of \(Name(release.facts.label).shortened(to: 40)) ended for \(grouped(own.counts.devices)) device\(own.counts.devices == 1 ? "" : "s")",
      columns: [.init("End"), .init("Devices"), .init("Last at age"), .init("Share of devices by then")],
      rows: rows + left)
  }
}

extension String {
  /// Why a device's time at risk ended without an update.
  var censoringWords: String {
    switch Censoring(rawValue: self) {
    case .cutOff: "still waiting at the cutoff"
    case .silent: "silent for the whole reach window"
    case .switched: "moved to another channel"
    case .superseded: "the next release was published"
    case .halted: "the rollout was halted"
    case nil: self
    }
  }
}
