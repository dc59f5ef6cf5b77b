internal import Console
internal import Lifecycle
internal import Query
internal import Statistics
internal import Store

extension Question {
  static let releases = Question(
    "releases", schema: .releases, purpose: "List releases: how far they got, how fast, how well",
    discussion: """
      One row a release and channel. Adopted is the share of devices a week after each became eligible, or as far as the \
      data go, which the column AT says; the small curve runs from 0 to 7 days.
      """,
    options: Option.filters + [.reachWindow] + Option.precision,
    examples: [
      .init("Everything at a glance", "uptake releases"),
      .init("One channel", "uptake releases --channel production"),
    ],
    exits: [.notEnoughData, .databaseUnusable], seeAlso: ["adoption", "release list"]
  ) { asked, snapshot in
    let app = try asked.text(.app).map { try Extent(snapshot.vocabulary, app: $0, now: asked.present).app }
    let options = Releases.Options(asked)
    try options.checkNames(snapshot.vocabulary, app)
    let answer = try Releases.answer(snapshot, app: app, now: asked.present, options)
    let newest = answer.data.max { $0.publishedAt < $1.publishedAt }?.release
    return Shown(
      answer.presentation(
        table: table(answer), notes: notes(answer), level: options.level,
        next: newest.map { ShellCommand("uptake", "adoption").argument($0) }),
      isKnown: !answer.data.isEmpty)
  }
}

extension Releases.Options {
  fileprivate init(_ asked: Parameters) {
    self.init()
    channels = asked.texts(.channel)
    platforms = asked.texts(.platform)
    reachWindow = asked.milliseconds(.reachWindow) ?? reachWindow
    level = asked.number(.confidence) ?? level
    minCell = asked.integer(.minCell) ?? 0
    includesEmulators = asked.flag(.emulators)
  }

  /// Refuses channels and platforms that nobody ever named, in any of the apps looked at.
  fileprivate func checkNames(_ vocabulary: Vocabulary, _ app: String?) throws(Refusal) {
    let apps = app.map { [$0] } ?? vocabulary.apps
    let known = Set(apps.flatMap { vocabulary.channels(of: $0, and: Timeline(vocabulary, app: $0)) }).sorted()
    for channel in channels where !known.contains(channel) { throw .unknownChannel(channel, known: known) }
    let knownPlatforms = Set(apps.flatMap { vocabulary.platforms(of: $0) }).sorted()
    for platform in platforms where !knownPlatforms.contains(platform) {
      throw .unknownPlatform(platform, known: knownPlatforms)
    }
  }
}

private func table(_ answer: Answer<Releases>) -> Table {
  let apps = Set(answer.data.map(\.app)).count > 1
  let columns: [Table.Column] = [
    .init("RELEASE", key: "release"), .init("CHANNEL", key: "channel"), .init("STATE", key: "state"),
    .init("ADOPTED", key: "adopted", hasInterval: true), .init("AT", key: "adoptedAt"),
    .init("0h ··· 7d", key: "curve"), .init("AGE", key: "age", isOptional: true),
    .init("MEDIAN", key: "median", hasInterval: true, isOptional: true),
    .init("FAILED", key: "failed", hasInterval: true, isOptional: true),
    .init("REACH NOW", key: "reach", hasInterval: true, isOptional: true),
    .init("DEVICES", key: "devices", isOptional: true), .init("OFFERED", key: "offered", isOptional: true),
  ]
  return Table(
    (apps ? [.init("APP", key: "app")] : []) + columns,
    rows: answer.data.map { row in (apps ? [.text(row.app)] : []) + row.cells }
      + answer.withheld.map { row in
        (apps ? [.text("")] : []) + [.text(row.release ?? ""), .text(row.group.parts["channel"] ?? "")]
          + Array(repeating: .missing(because: "fewer devices than --min-cell"), count: columns.count - 2)
      })
}

extension Releases {
  fileprivate var cells: [Cell] {
    let none = Cell.missing(because: "")
    return [
      .text(release), .text(channel), .text(stateWords), adopted.shareCell,
      adoptedAtSeconds.map { .duration(seconds: Double($0)) } ?? none, .sparkline(curve),
      ageSeconds.map { .duration(seconds: Double($0)) } ?? none, median.durationCell, failureRate.shareCell,
      reach.shareCell, .count(devices), .count(offered),
    ]
  }

  /// Every second point, as far as the data go.
  private var curve: [Double] {
    sparkline.indices.filter { $0 % 2 == 1 }.compactMap { sparkline[$0] }
  }

  private var stateWords: String {
    switch state {
    case .scheduled: "scheduled"
    case .rollingOut: "rolling " + (rolloutPercent.map { percent($0 / 100) + "%" } ?? "out")
    case .paused: "paused"
    case .complete: "complete"
    case .superseded: "superseded"
    case .inferred: "unregistered"
    }
  }
}

private func notes(_ answer: Answer<Releases>) -> [String] {
  let shaky = Set(answer.data.filter { $0.isUnstable && $0.adopted.value != nil }.map(\.release)).sorted()
  var notes = [
    "adopted: of eligible devices, at the age under AT after each became eligible; reach now: of devices in contact,"
      + " those that run it"
  ]
  if !shaky.isEmpty { notes.append("fewer than 30 devices carry what is said of \(shaky.joined(separator: ", "))") }
  return notes
}
