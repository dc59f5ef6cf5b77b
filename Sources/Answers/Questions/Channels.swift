internal import Console
internal import Lifecycle
internal import Query
internal import Store

extension Channels: PeriodQuestion, Grouped {
  static let usage = Usage(
    "channels", purpose: "Show what share of devices changed channel, by the release they ran",
    discussion: """
      Of the devices that said they run a release, those that left their channel while they ran it, and where they went. \
      A device counts once for each release.
      """,
    options: Option.slicing(Grouping.self) + [.newest] + Option.period + Option.precision,
    examples: [
      .init("Per release", "uptake channels"),
      .init("Who leaves beta, per platform", "uptake channels --channel beta --by platform"),
    ], seeAlso: ["reach", "releases"], next: "releases")

  static func options(_ asked: Parameters) -> Options {
    var options = Options()
    options.by = asked.choices(.by(Grouping.self))
    return options
  }

  /// Of what devices ran: where it was published last.
  static func recency(_ rows: [Channels], _ vocabulary: Vocabulary, _ extent: FleetScope) -> [Recency] {
    let timeline = Timeline(vocabulary, app: extent.app, until: extent.now)
    let known = Dictionary(timeline.releases.map { ($0.label.rawValue, $0.id) }) { first, _ in first }
    return rows.map { row in
      let came = known[row.release].map { id in
        timeline.channels(of: id).compactMap { channel in
          timeline.start(id, channel: channel, platform: nil).map { Recency(channel: channel, at: $0.publishedAt) }
        }
      }
      return came?.max { $0.at < $1.at } ?? Recency(channel: "", at: Timestamp(rawValue: 0))
    }
  }

  static let query: [Member] = .extent()

  static let fields: [Field<Channels>] = [
    .group, Field("release", \.release, "The release that devices ran", .name(1, "RELEASE")),
    Field(
      "devices", \.devices, "Devices that said they run it, on a channel and in a time that were looked at",
      .column(3, "DEVICES")),
    Field("changed", \.changed, "Of these, devices that left that channel while they ran it", .column(4, "CHANGED")),
    Field("share", \.share, "The share that changed", .column(2, "CHANGED CHANNEL")),
    Field(
      "moves", \.moves, "Where they went, most devices first",
      .column(5, "MOST WENT", key: "mostWent", row: { $0.mostWent { .text("\($0.from) → \($0.to)") } }).optional,
      .column(6, "MOVED", key: "mostWentDevices", row: { $0.mostWent { .count($0.devices) } }).optional,
      each: [
        Field("from", \.from, "The channel that was left"), Field("to", \.to, "The next one"),
        Field("devices", \.devices, "Devices that went that way"),
      ]),
    Field("movesWithheld", \.movesWithheld, "Moves that fewer devices than --min-cell made"),
  ]

  private func mostWent(_ cell: (Move) -> Cell) -> Cell {
    moves.first.map(cell)
      ?? .missing(because: movesWithheld > 0 ? "fewer devices than --min-cell" : "nobody left")
  }
}
