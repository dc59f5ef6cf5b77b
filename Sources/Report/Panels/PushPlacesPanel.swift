internal import Console
internal import Query
internal import Statistics

extension Panel {
  static let pushPlaces = Panel(
    name: "push-places", scope: .site, options: [.title],
    purpose: "Delivery by platform, and in what state the app was met",
    reads: { [Exhibit($0.site.push), Exhibit($0.site.pushByPlatform)] }
  ) { context in
    guard let push = context.push else { return .empty }
    if push.areReceiptsMissing {
      return context.missing("Where pushes get through", "No device reports that a push arrived.")
    }
    let rows = context.site.pushByPlatform.data.filter { $0.delivered.of > 0 }
    let bars = rows.map { row in
      Rows.Row(
        name: platform(row), words: row.delivered.told.text(.share), value: row.delivered.share.value,
        lo: row.delivered.told.lo, hi: row.delivered.told.hi, ink: .push)
    }
    let text =
      "Delivered within a day: "
      + rows.map { "\(platform($0)) \($0.delivered.told.text(.share))" }
      .joined(separator: ", ") + "."
    let picture: HTML =
      rows.isEmpty
      ? ""
      : paragraph("\(text)", of: context.picture)
        + Rows(mark: .dot, rows: bars, ticks: Ticks.shares(to: 1), scale: Scale(lowest: 0, highest: 1)).picture(
          id: context.picture, title: "Share of pushes delivered within a day, by platform"
        ).html
    let count = context.site.pushByPlatform.withheld.count
    let small: HTML =
      count == 0
      ? ""
      : note(
        "\(count == 1 ? "1 more platform has" : "\(count) more platforms have") fewer than \(context.site.smallestGroup) devices."
      )
    return context.section("Where pushes get through", picture, small, byPlatform(rows).behind, arrivals(push).html)
  }

  private static func platform(_ row: Push) -> String {
    Name(row.group.parts["platform"] ?? "unknown").shortened(to: 24)
  }

  private static func byPlatform(_ rows: [Push]) -> DataTable {
    DataTable(
      caption: "Pushes delivered and lost by platform, with 95% intervals",
      columns: [.init("Platform"), .init("Pushes sent"), .init("Devices"), .init("Delivered"), .init("Lost")],
      rows: rows.map {
        [
          "\(platform($0))", Number.count($0.sent), Number.count($0.devices), $0.delivered.told.html(.share),
          $0.lost.told.html(.share),
        ]
      })
  }

  private static func arrivals(_ push: Push) -> DataTable {
    DataTable(
      caption: "How pushes that arrived met the app",
      columns: [.init("The app"), .init("Pushes")],
      rows: PushArrival.allCases.map { ["\($0.words)", Number.count(push.arrivals[$0.rawValue] ?? 0)] })
  }
}
