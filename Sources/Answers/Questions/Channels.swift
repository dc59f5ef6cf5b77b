internal import Console
internal import Query
internal import Store

extension Question {
  static let channels = Question(
    "channels", schema: .channels, purpose: "Show what share of devices changed channel, by the release they ran",
    discussion: """
      Of the devices that said they run a release, those that left their channel while they ran it, and where they went. \
      A device counts once for each release.
      """,
    options: Option.filters + Option.period + [.by(Channels.Grouping.self)] + Option.precision,
    examples: [
      .init("Per release", "uptake channels"),
      .init("Who leaves beta, per platform", "uptake channels --channel beta --by platform"),
    ],
    exits: [.notEnoughData, .databaseUnusable], seeAlso: ["reach", "releases"]
  ) { asked, snapshot in
    let extent = try asked.extent(nil, snapshot.vocabulary)
    let options = Channels.Options(asked)
    let answer = try Channels.answer(snapshot, extent, options)
    return Shown(
      answer.presentation(
        table: table(answer, GroupColumns(options.by)), level: extent.level,
        next: ShellCommand("uptake", "releases")), isKnown: !answer.data.isEmpty)
  }
}

extension Channels.Options {
  fileprivate init(_ asked: Parameters) {
    self.init()
    by = asked.choices(.by(Channels.Grouping.self))
  }
}

private func table(_ answer: Answer<Channels>, _ groups: GroupColumns) -> Table {
  let columns: [Table.Column] = [
    .init("CHANGED CHANNEL", key: "share", hasInterval: true), .init("DEVICES", key: "devices"),
    .init("CHANGED", key: "changed"), .init("MOST WENT", key: "mostWent", isOptional: true),
  ]
  return Table(
    [.init("RELEASE", key: "release")] + groups.columns + columns,
    rows: answer.data.map { row in
      [.text(row.release)] + groups.cells(row.group.parts)
        + [row.share.shareCell, .count(row.devices), .count(row.changed), row.mostWent]
    }
      + answer.withheld.map { row in
        [.text(row.release ?? "")] + groups.cells(row.group.parts)
          + Array(repeating: .missing(because: "fewer devices than --min-cell"), count: columns.count)
      })
}

extension Channels {
  fileprivate var mostWent: Cell {
    guard let move = moves.first else {
      return .missing(because: movesWithheld > 0 ? "fewer devices than --min-cell" : "nobody left")
    }
    return .text("\(move.from) → \(move.to) (\(grouped(move.devices)))")
  }
}
