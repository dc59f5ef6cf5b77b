internal import Console
internal import Lifecycle
internal import Query
internal import Statistics
internal import Store

extension Command {
  static let releases = Command(
    "releases", group: "QUESTIONS", purpose: "List releases: how far they got, how fast, how well",
    discussion: """
      One row a release and channel. Adopted is the share of devices a week after each became eligible, or as far as the \
      data go, which the column AT says; the small curve runs from 0 to 7 days.
      """,
    options: [.database] + Option.filters + [.reachWindow] + Option.precision + [.now] + Option.answer,
    examples: [
      .init("Everything at a glance", "uptake releases"),
      .init("One channel", "uptake releases --channel production"),
    ],
    exits: [.notEnoughData, .databaseUnusable], seeAlso: ["adoption", "release list"]
  ) { invocation in
    let snapshot = try invocation.snapshot()
    var options = Releases.Options()
    let extent = try invocation.text(.app).map { try Extent(snapshot.vocabulary, app: $0, now: invocation.instant) }
    options.channels = invocation.texts(.channel)
    options.platforms = invocation.texts(.platform)
    options.reachWindow = invocation.milliseconds(.reachWindow) ?? options.reachWindow
    options.level = invocation.number(.confidence) ?? options.level
    options.minCell = invocation.integer(.minCell) ?? 0
    options.includesEmulators = invocation.flag(.emulators)
    try invocation.checkNames(snapshot.vocabulary, extent?.app)
    let answer = try Releases.answer(snapshot, app: extent?.app, now: invocation.instant, options)
    let newest = answer.data.max { $0.publishedAt < $1.publishedAt }?.release
    try invocation.show(
      answer.presentation(
        table: table(answer), notes: notes(answer), level: options.level,
        next: newest.map { ShellCommand("uptake", "adoption").argument($0) }))
    return answer.data.isEmpty ? .notEnoughData : .done
  }
}

extension Invocation {
  /// Refuses channels and platforms that nobody ever named, in any of the apps looked at.
  fileprivate func checkNames(_ vocabulary: Vocabulary, _ app: String?) throws {
    let apps = app.map { [$0] } ?? vocabulary.apps
    let channels = Set(apps.flatMap { vocabulary.channels(of: $0, and: Timeline(vocabulary, app: $0)) }).sorted()
    for channel in texts(.channel) where !channels.contains(channel) {
      throw Refusal.unknownChannel(channel, known: channels)
    }
    let platforms = Set(apps.flatMap { vocabulary.platforms(of: $0) }).sorted()
    for platform in texts(.platform) where !platforms.contains(platform) {
      throw Refusal.unknownPlatform(platform, known: platforms)
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
        (apps ? [.text("")] : []) + [.text(row.release ?? ""), .text(row.group.channel ?? "")]
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
