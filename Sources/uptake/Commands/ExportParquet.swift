internal import Answers
internal import Console
internal import Lifecycle
internal import Report
internal import Store

extension Invocation {
  /// Single events as a Parquet file, as many as are still stored.
  func exportEvents() throws -> ExitCode {
    try parquet(StoredEvent.columns, isPrivate: true) { add in
      let snapshot = try snapshot()
      var last: Int64 = -1
      while case let events = try snapshot.events(after: last, app: text(.app), limit: 65_536), let end = events.last {
        try add(StoredEvent.values(events))
        last = end.sequence
      }
    }
  }

  /// What the questions are asked of: a row for each device, release and channel.
  func exportJourneys() throws -> ExitCode {
    try parquet(JourneyRows.columns, isPrivate: true) { add in
      let snapshot = try snapshot()
      var rows = JourneyRows(snapshot.vocabulary)
      try snapshot.eachShardOfJourneys(app: text(.app)) { journeys in
        rows.append(journeys)
        if rows.count >= 65_536 { try add(rows.take()) }
      }
      if rows.count > 0 { try add(rows.take()) }
    }
  }

  /// How adoption rose with each release of the choice.
  func exportCurves() throws -> ExitCode {
    try parquet(RolloutCurves.columns) { add in try add(RolloutCurves.values(try rollouts())) }
  }

  /// - Parameter isPrivate: it is about single devices.
  private func parquet(
    _ columns: [Parquet.Column], isPrivate: Bool = false, _ fill: (([Parquet.Values]) throws -> Void) throws -> Void
  ) throws -> ExitCode {
    guard let target = text(.output), target != "-" else {
      throw Failure(
        "no_file", "rows are written to a Parquet file", place: "--output", hints: ["name it: --output FILE.parquet"],
        exit: .usage)
    }
    let file = try WholeFile(target, isPrivate: isPrivate)
    var (parquet, rows) = (try Parquet(columns, write: file.write), 0)
    try fill { values in
      rows += values[0].count
      try parquet.add(values)
    }
    try parquet.finish(by: "\(program.name) version \(program.version)")
    try file.commit()
    try note(["\(target): \(rows) row\(rows == 1 ? "" : "s")"])
    return rows == 0 ? .notEnoughData : .done
  }
}

/// An `AtomicFile` that closures may hold.
private final class WholeFile {
  private var file: AtomicFile?
  init(_ path: String, isPrivate: Bool) throws { file = try AtomicFile(path, isPrivate: isPrivate) }
  func write(_ bytes: [UInt8]) throws { try file?.write(bytes) }
  func commit() throws { try file.take()?.commit() }
}

/// Journeys on their way to a row group.
private struct JourneyRows {
  private static let milestones = Milestone.allCases
  static let columns: [Parquet.Column] =
    [.init("app", .text), .init("release", .text), .init("channel", .text), .init("device", .text)]
    + milestones.flatMap { [.init("\($0)At", .instant), .init("\($0)Trigger", .text)] }
    + [.init("reason", .text), .init("bucket", .integer)]

  private let vocabulary: Vocabulary
  private let releases: [Int64: ReleaseRecord]
  private var names: [[String?]] = Array(repeating: [], count: 4)
  private var firsts: [[FirstTime]] = Array(repeating: [], count: milestones.count)
  private var reasons: [String?] = []
  private var buckets: [Int64?] = []

  init(_ vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
    releases = Dictionary(vocabulary.releases.map { ($0.id, $0) }) { first, _ in first }
  }

  var count: Int { reasons.count }

  mutating func append(_ journeys: [Snapshot.Journeys]) {
    for place in journeys {
      let (release, channel) = (releases[place.release], vocabulary.names[place.channel])
      for (index, device) in place.shard.devices.enumerated() {
        names[0].append(release?.app)
        names[1].append(release?.label.rawValue)
        names[2].append(channel)
        names[3].append(hexadecimal(device))
        for (column, milestone) in Self.milestones.enumerated() {
          firsts[column].append(place.shard.first(milestone, index))
        }
        reasons.append(place.shard.failureReason(index).flatMap { vocabulary.names[$0] })
        buckets.append(place.shard.bucket(index).map(Int64.init))
      }
    }
  }

  /// The rows so far, of which none is left.
  mutating func take() -> [Parquet.Values] {
    let values: [Parquet.Values] =
      names.map { .text($0) }
      + firsts.flatMap { column -> [Parquet.Values] in
        [
          .instant(column.map { $0.happened ? $0.at.rawValue : nil }),
          .text(column.map { $0.happened ? $0.trigger.rawValue : nil }),
        ]
      } + [.text(reasons), .integer(buckets)]
    self = JourneyRows(vocabulary)
    return values
  }
}
