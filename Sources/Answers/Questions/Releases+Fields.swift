internal import Console
internal import Query

extension Releases {
  static let query = [
    Member("app", .nullable(.text), "The application; null for all"),
    Member("channel", .names, "The channels looked at"),
    Member("platform", .names, "The platforms looked at"), .only, .withoutImpossible, .onlyAttested,
    Member("level", .number, "The confidence of intervals"),
    Member("reachWindowSeconds", .integer, "How long after its last contact a device counts as reachable"),
    Member("now", .instant, "What was taken as now"),
    Member("sparklineSeconds", .list(.integer), "The ages of the sparkline"),
    Member(
      "cutOff", .nullable(.instant),
      "The cutoff: now less the reporting lag; null where several apps have each their own"),
    Member("reportingLagSeconds", .nullable(.integer), "How long events usually need to arrive; null likewise"),
  ]

  /// Where there are several apps, the table names them.
  static func fields(_ reply: Reply<Releases>) -> [Field<Releases>] {
    Set(reply.rows.map(\.app)).count > 1 ? fields.showing("app", \.app, .name(1, "APP")) : fields
  }

  static let fields: [Field<Releases>] = [
    Field("app", \.app, "The application"), Field("release", \.release, "The release", .name(2, "RELEASE")),
    Field("channel", \.channel, "The channel", .name(3, "CHANNEL").least(10)),
    Field(
      "state", \.state, "Where it stands",
      .column(4, "STATE", row: { .term($0.state.rawValue, words: $0.stateWords) }).least(11)),
    Field(
      "rolloutPercent", \.rolloutPercent,
      rolloutPercentMeaning,
      .column(20, "ROLLOUT", key: "rollout", row: { .rollout($0.rolloutPercent, $0.rolloutByPlatform) }).forPrograms),
    Field("rolloutByPlatform", \.rolloutByPlatform, rolloutByPlatformMeaning, each: RolloutProgress.fields),
    Field("isInferred", \.isInferred, "Nobody registered it"),
    Field("isMandatory", \.isMandatory, "Clients must install it"),
    Field("publishedAt", \.publishedAt, "When it was published"),
    Field("supersededAt", \.supersededAt, "When the next one was"),
    Field(
      "isTooNew", \.isTooNew,
      "It was published after the cutoff: 0 devices, attempts and running are not known yet; launches, crashes and rollbacks are"
    ),
    Field(
      "ageSeconds", \.ageSeconds, "Since publication; null before it",
      .column(15, "AGE", key: "age", missing: "", cell: \.durationCell).optional),
    Field("offered", \.offered, "Devices that were told of it, or began to get it", .column(17, "OFFERED").optional),
    Field("devices", \.devices, "Devices with time at risk", .column(6, "DEVICES", row: \.devicesCell)),
    Field("events", \.events, "Updates"),
    Field(
      "observedShare", \.observedShare, "events of devices: counted, not estimated; null where there are none",
      .column(5, "ADOPTION", row: \.adoptionCell)),
    Field("observedReason", \.observedReason, observedReasonMeaning),
    Field(
      "adopted", \.adopted, "Adoption estimated for after a week, or as far as the data go",
      .column(11, "ESTIMATE", key: "adopted", row: \.estimateCell).withLimits.optional),
    Field("adoptedAtMost", \.adoptedAtMost, "Where nobody has updated yet: adopted is at most this"),
    Field("adoptedAtLeast", \.adoptedAtLeast, "Where all that were at risk have updated: adopted is at least this"),
    Field(
      "adoptedAtSeconds", \.adoptedAtSeconds, "At which age",
      .column(12, "AT", key: "adoptedAt", missing: "", cell: \.durationCell).optional),
    Field("isUnstable", \.isUnstable, isUnstableMeaning),
    Field(
      "median", \.median, "When half had updated, in seconds",
      .column(8, "MEDIAN", row: \.medianCell).withLimits.optional),
    Field("attempts", \.attempts, "First attempts old enough to count"),
    Field("failed", \.failed, "Those that failed, were rolled back or crashed"),
    Field("failureRate", \.failureRate, "Their share", .column(7, "FAILED")),
    Field(
      "launched", \.launched, "Devices that launched it, however long ago, reported or not",
      .column(16, "LAUNCHED").optional),
    Field(
      "rolledBack", \.rolledBack, "Of the launched, those rolled back within a day of the launch",
      .column(18, "ROLLBACKS").optional),
    Field("rolledBackRate", \.rolledBackRate, "Their share", .column(9, "ROLLED BACK").optional),
    Field(
      "crashed", \.crashed, "Of the launched, those that crashed within a day of the launch",
      .column(19, "CRASHES").optional),
    Field("crashedRate", \.crashedRate, "Their share", .column(10, "CRASHED").optional),
    Field("reachable", \.reachable, "Devices in contact"),
    Field("running", \.running, "Those that run it; null where fewer than --min-cell do"),
    Field("reach", \.reach, "Their share", .column(13, "REACH").optional),
    Field(
      "isPolled", \.isPolled,
      "Whether nobody saw when many devices updated: adopted, median and sparkline are estimated between the checks"),
    Field(
      "sparkline", \.sparkline, "Adoption at the ages of query.sparklineSeconds",
      .column(14, "0h ··· 7d", key: "curve", row: \.sparklineCell).optional),
  ]

  private static let afterCutoff = Cell.missing(because: "published after the cutoff")
  private var devicesCell: Cell { isTooNew && devices == 0 ? Self.afterCutoff : .count(devices) }
  private var adoptionCell: Cell {
    isTooNew && devices == 0 ? Self.afterCutoff : .adoption(observedShare, isOfOffered: isOfOffered)
  }
  private var estimateCell: Cell {
    isOfOffered ? adoptionCell : adopted.shareCell(atMost: adoptedAtMost, atLeast: adoptedAtLeast)
  }
  private var medianCell: Cell { isOfOffered ? adoptionCell : median.durationCell }
  private var sparklineCell: Cell { isOfOffered ? adoptionCell : .sparkline(sparkline.everySecond) }

  private var stateWords: String {
    switch state {
    case .scheduled: "scheduled"
    case .rollingOut:
      "rolling " + (rolloutPercent.map { percent($0 / 100) + "%" } ?? (rolloutByPlatform.isEmpty ? "out" : "apart"))
    case .paused: "halted"
    case .complete: "complete"
    case .superseded: "superseded"
    case .inferred: "unregistered"
    }
  }
}

extension [Double?] {
  /// Every second point, as far as the data go.
  fileprivate var everySecond: [Double] { indices.filter { $0 % 2 == 1 }.compactMap { self[$0] } }
}
