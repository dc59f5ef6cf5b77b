internal import Console
internal import Query
internal import Statistics

extension PanelContext {
  /// The pushes of the whole app, where any were sent.
  var push: Push? { site.push.data.first.flatMap { $0.sent > 0 ? $0 : nil } }
  var noPushes: HTML {
    "No push was reported as sent. Let the push server send <code>pushSent</code> events to measure them."
  }
}

extension Rate {
  /// `45.9% (44.9–46.9) of 1,234`.
  var html: HTML { "\(share.html(.share)) <i>of \(Number.count(of))</i>" }
  var text: String { "\(share.text(.share)) of \(grouped(of))" }
}

extension Panel {
  static let pushTiles = Panel(
    name: "push-tiles", scope: .site, place: .wide, options: [.title],
    purpose: "Pushes sent, delivered, lost, and followed by the update",
    reads: { [Exhibit($0.site.push)] }
  ) { context in
    guard let push = context.push else { return context.missing("Silent pushes", context.noPushes) }
    func tile(_ title: String, _ rate: Rate, _ what: HTML) -> Tile {
      Tile(
        title, rate.told.valueHTML(.share), rate.told.intervalHTML(.share),
        rate.share.reason == .noReceipts ? "" : "\(Number.count(rate.count)) of \(Number.count(rate.of)) \(what)")
    }
    let warnings = context.site.push.warnings.map { note("\($0.sentence)") }.joined("\n")
    return Tile.list([
      Tile(
        "Pushes sent", Number.count(push.sent), "to \(Number.count(push.devices)) devices",
        "\(Number.count(push.rejected)) refused by the gateway"),
      tile("Delivered within a day", push.delivered, "accepted pushes a day old"),
      tile("Lost", push.lost, "not replaced, to devices that spoke afterwards"),
      tile("Led to the update", push.credited, "accepted pushes a day old that name a release"),
    ]) + warnings
  }

  static let pushStates = Panel(
    name: "push-states", scope: .site, options: [.title], purpose: "What became of every accepted push",
    reads: { [Exhibit($0.site.push)] }
  ) { context in
    guard let push = context.push else { return .empty }
    let order = push.told.map { ($0, push.states[$0.rawValue] ?? 0, push.matureStates[$0.rawValue] ?? 0) }
    let top = order.max { $0.1 < $1.1 }
    let text =
      "Of \(grouped(push.accepted)) accepted pushes "
      + order.map { "\(grouped($0.1)) \(push.words($0.0))" }.joined(separator: ", ") + "."
    let chart = Rows(
      mark: .bar,
      rows: order.map {
        .init(
          name: push.words($0.0), words: grouped($0.1), value: Double($0.1),
          ink: $0.0 == .lost && !push.areReceiptsMissing ? .failed : .main)
      },
      ticks: [], scale: Scale(lowest: 0, highest: Double(max(top?.1 ?? 1, 1))))
    return context.section(
      "What became of the pushes",
      paragraph("\(text)", of: context.picture),
      chart.picture(id: context.picture, title: "Accepted pushes by what became of them").html,
      DataTable(
        caption: "Accepted pushes by state; mature ones were sent at least a day before the cutoff",
        columns: [.init("State"), .init("All"), .init("Mature")],
        rows: order.map { ["\(push.words($0.0))", Number.count($0.1), Number.count($0.2)] }
      ).behind)
  }

  static let pushDelay = Panel(
    name: "push-delay", scope: .site, options: [.title], purpose: "How long pushes travel, from a second to days",
    reads: { [Exhibit($0.site.push)] }
  ) { context in
    guard let push = context.push else { return .empty }
    return context.section("How long pushes travel", travel(push.latency, context, "arrived"))
  }

  static let pushToUpdate = Panel(
    name: "push-to-update", scope: .site, options: [.title],
    purpose: "How long from sending a push to the update it brought",
    reads: { [Exhibit($0.site.push)] }
  ) { context in
    guard let push = context.push else { return .empty }
    return context.section(
      "From push to update",
      travel(push.sentToApplied, context, "led to the update")
        + note(
          "Pushes to devices that had the update already count, and lead to none: after a second wave the share is smaller than of"
            + " the first alone."))
  }

  private static func travel(_ latency: Push.Latency, _ context: PanelContext, _ what: String) -> HTML {
    guard let last = latency.curve.last else {
      return note(
        latency.quantiles.contains { $0.seconds.reason == .noReceipts }
          ? "Not known: no device reports that a push arrived." : "None has \(what) yet.")
    }
    let horizon = max(Double(last.seconds), 60)
    let points = latency.curve.compactMap { StepChart.Point($0.seconds, $0.share) }
    let half = latency.quantiles.first { $0.p == 0.5 }?.seconds
    let share = last.share.text(.share)
    let text =
      (half?.value != nil ? "Half of the accepted pushes had \(what) after \(half?.text(.duration) ?? "—"). " : "")
      + "\(share) had \(what) after \(Console.duration(seconds: Double(last.seconds))), estimated over all accepted pushes, those less than a day"
      + " old too; the rest never did, or a newer push took their place."
    let chart = StepChart(
      lines: [.init(name: what, ink: .push, points: points, until: horizon)], axis: "time since sending (logarithmic)",
      ticks: Ticks.logAges.filter { $0.value <= horizon }, horizon: horizon, scaleKind: .logarithmic, lowest: 1,
      plotHeight: 220)
    let table = DataTable(
      caption: "Time from sending until pushes \(what), as shares of all accepted pushes, with 95% intervals",
      columns: [.init("Share of pushes"), .init("After")],
      rows: latency.quantiles.map { ["\(Format.share($0.p, 0))", $0.seconds.html(.duration)] })
    return paragraph("\(text)", of: context.picture)
      + chart.picture(id: context.picture, title: "Share of accepted pushes that \(what), by time since sending").html
      + table.behind
  }

  static let pushHours = Panel(
    name: "push-hours", scope: .site, place: .wide, options: [.title],
    purpose: "Delivery by hour of the week, as a heat map",
    reads: { [Exhibit($0.site.push)] }
  ) { context in
    guard let push = context.push, !push.areReceiptsMissing else { return .empty }
    let week = push.hourOfWeek
    let shares = zip(week.delivered, week.mature).map {
      $1 < context.site.smallestGroup ? nil : Double($0) / Double($1)
    }
    let hours = shares.indices.map { "\(Heatmap.days[$0 / 24]) \($0 % 24 < 10 ? "0" : "")\($0 % 24):00" }
    let titles = shares.indices.map { index in
      "\(hours[index]): "
        + (shares[index].map { Format.share($0) + " of \(grouped(week.mature[index]))" }
          ?? "fewer than \(context.site.smallestGroup) pushes")
    }
    let known = shares.indices.filter { shares[$0] != nil }
    guard let best = known.max(by: { (shares[$0] ?? 0) < (shares[$1] ?? 0) }),
      let worst = known.min(by: { (shares[$0] ?? 0) < (shares[$1] ?? 0) })
    else {
      return context.missing(
        "When pushes get through", "No hour of the week has \(context.site.smallestGroup) pushes yet.")
    }
    func limits(_ index: Int) -> Estimate {
      Proportion(Int64(week.delivered[index]), of: Int64(week.mature[index])).wilson(level: 0.95)
    }
    let differ = (limits(best).lo ?? 0) > (limits(worst).hi ?? 1)
    let text =
      known.count < 2
      ? "Only one hour of the week has enough pushes: \(titles[best]) (UTC)."
      : differ
        ? "Pushes get through best at \(titles[best]), worst at \(titles[worst]) (UTC)."
        : "No hour of the week is better than another beyond chance: \(titles[best]), \(titles[worst]) (UTC)."
    return context.section(
      "When pushes get through",
      paragraph("\(text)", of: context.picture),
      Heatmap(shares: shares, titles: titles).picture(
        id: context.picture, title: "Share of pushes delivered within a day, by hour of the week (UTC)"
      ).html,
      hoursTable(week, context.site.smallestGroup).behind)
  }

  private static func hoursTable(_ week: Push.HourOfWeek, _ least: Int) -> DataTable {
    DataTable(
      caption: "Pushes delivered within a day, of those sent, by hour of the week (UTC)",
      columns: [.init("Hour")] + Heatmap.days.map { .init($0) },
      rows: (0..<24).map { hour in
        ["\(hour < 10 ? "0" : "")\(hour):00"]
          + (0..<7).map { day in
            let index = day * 24 + hour
            let (delivered, mature) = (week.delivered[index], week.mature[index])
            return mature < least
              ? "\(mature == 0 ? "—" : "<\(least)")" : "\(Number.count(delivered)) of \(Number.count(mature))"
          }
      })
  }

  static let pushThrottling = Panel(
    name: "push-throttling", scope: .site, options: [.title],
    purpose: "Delivery by how many pushes the device had had in the day before",
    reads: { [Exhibit($0.site.push)] }
  ) { context in
    guard let push = context.push, !push.areReceiptsMissing else { return .empty }
    let classes = push.throttling.filter { $0.delivered.of >= context.site.smallestGroup }
    guard let first = classes.first, let last = classes.last else { return .empty }
    let other = classes.count > 1 ? "; with \(last.pushesBefore), \(last.delivered.text)" : ""
    let text = "With \(first.pushesBefore) pushes in the day before, \(first.delivered.text) were delivered\(other)."
    let rows = classes.map {
      Rows.Row(
        name: "\($0.pushesBefore) in the day before", words: $0.delivered.told.text(.share),
        value: $0.delivered.share.value,
        lo: $0.delivered.told.lo, hi: $0.delivered.told.hi, ink: .push)
    }
    return context.section(
      "Does pushing more often help less?",
      paragraph("\(text)", of: context.picture),
      Rows(mark: .dot, rows: rows, ticks: Ticks.shares(to: 1), scale: Scale(lowest: 0, highest: 1)).picture(
        id: context.picture, title: "Share delivered, by pushes to the device in the 24 hours before"
      ).html,
      note("Devices that are pushed often may differ from others; the difference is not the effect of one more push."),
      DataTable(
        caption: "Pushes delivered within a day, by pushes to the device in the 24 hours before, with 95% intervals",
        columns: [.init("Pushes before"), .init("Devices"), .init("Delivered")],
        rows: classes.map { ["\($0.pushesBefore)", Number.count($0.delivered.devices), $0.delivered.html] }
      ).behind)
  }
}

extension Push {
  /// The states of its accepted pushes: where no arrival is reported none is known to have arrived.
  fileprivate var told: [PushState] {
    PushState.allCases.filter { !areReceiptsMissing || ![.delivered, .late].contains($0) }
  }

  /// Where no arrival is reported none is known to be lost, or to have been replaced before it arrived.
  fileprivate func words(_ state: PushState) -> String {
    guard areReceiptsMissing else { return state.words }
    switch state {
    case .lost: return "to devices heard of afterwards, whether they arrived is not known"
    case .coalesced: return "followed by a newer push within a day"
    case .delivered, .late, .pending, .unreached: return state.words
    }
  }
}

extension PushArrival {
  var words: String {
    switch self {
    case .background: "was woken in the background"
    case .atLaunch: "was opened, and the push had been held until then"
    case .inUse: "was in use"
    }
  }
}

extension PushState {
  var words: String {
    switch self {
    case .delivered: "delivered within a day"
    case .late: "delivered later"
    case .coalesced: "replaced by a newer push"
    case .pending: "too recent to say"
    case .lost: "lost"
    case .unreached: "to devices not heard of again"
    }
  }
}
