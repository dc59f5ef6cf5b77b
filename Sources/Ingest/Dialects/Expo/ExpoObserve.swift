import Lifecycle

/// What `expo-observe` sends: OpenTelemetry whose resource says which update runs, and how long a download took.
extension Dialect {
  static let expoObserveRoutes = [
    DialectRoute("POST", "/{project}/v1/logs", Dialect(name: "otlp", hear: hearLogs, answer: answerLogs)),
    DialectRoute("POST", "/v1/metrics", metrics), DialectRoute("POST", "/{project}/v1/metrics", metrics),
  ]

  /// Metrics hold no events, but for Expo's: from everybody else they are taken and dropped.
  private static let metrics = Dialect(
    name: "otlp",
    hear: { (request) throws(DialectProblem) in
      var heard = ParsedRequest()
      guard !request.mediaType.hasSuffix("protobuf") else {
        heard.drop("metrics")
        return heard
      }
      for resourceMetrics in try request.json()[["resourceMetrics", "resource_metrics"]]?.array ?? [] {
        let drafts = ExpoObserve.drafts(metrics: resourceMetrics)
        if drafts.isEmpty { heard.drop("metrics") }
        heard.drafts += drafts
      }
      return heard
    },
    answer: { request, _, verdict in
      switch verdict {
      case .stored: OTLPReply(request).stored(rejected: 0, message: "")
      case .refused(let problem): OTLPReply(request).refused(problem)
      }
    })
}

enum ExpoObserve {
  /// A sign of life for each device that reports, at the last of its records.
  static func checks(_ records: [LogRecord]) -> [Draft] {
    var checks: [String: Draft] = [:]
    for record in records {
      let at = Draft.time(nanoseconds: record.time > 0 ? record.time : record.observedTime)
      guard var check = check(record.resource, at: at) else { continue }
      check.item = Draft.ofNoItem
      if let known = checks[check.device]?.at, known >= at ?? known { continue }
      checks[check.device] = check
    }
    return checks.sorted { $0.key < $1.key }.map(\.value)
  }

  private static let killed = "9"

  /// A fatal error of a record: a crash of the update that ran in its session, told as the next one starts. nil where it is none, and
  /// where Android killed the process, as it does with healthy ones to make room.
  static func crash(_ record: LogRecord) -> Draft? {
    guard record.eventName ?? record.attributes["event.name"] == "exception",
      let isFatal = record.attributes.values["expo.error.is_fatal"], isFatal.bool ?? (isFatal.text == "true"),
      record.attributes["expo.crash.signal_number"] != killed,
      var draft = check(
        record.resource, at: Draft.time(nanoseconds: record.time > 0 ? record.time : record.observedTime))
    else { return nil }
    let message = record.attributes["exception.message"].map { String($0.prefix { !$0.isNewline }) }
    let said = [record.attributes["exception.type"], message].compactMap(\.self)
    (draft.stage, draft.reason) = (.crashed, said.isEmpty ? nil : said.joined(separator: ": "))
    return draft
  }

  static func drafts(metrics: JSONValue) -> [Draft] {
    let resource = Attributes(metrics["resource"]?["attributes"])
    var (last, downloads): (Timestamp?, [Draft]) = (nil, [])
    for scope in metrics[["scopeMetrics", "scope_metrics"]]?.array ?? [] {
      for metric in scope["metrics"]?.array ?? [] {
        let isDownload = metric["name"]?.text.map(isDownloadTime) ?? false
        for point in metric["gauge"]?[["dataPoints", "data_points"]]?.array ?? [] {
          let at = Draft.time(nanoseconds: point[["timeUnixNano", "time_unix_nano"]]?.number ?? 0)
          if let at { last = max(last ?? at, at) }
          if isDownload, let draft = download(point, resource, at) { downloads.append(draft) }
        }
      }
    }
    return [check(resource, at: last)].compactMap(\.self) + downloads
  }

  /// `expo.updates.download_time`, or `updateDownloadTime` as first versions had it.
  private static func isDownloadTime(_ name: String) -> Bool {
    let letters = name.lowercased().filter(\.isLetter)
    return letters.contains("update") && letters.hasSuffix("downloadtime")
  }

  private static func check(_ resource: Attributes, at: Timestamp?) -> Draft? {
    guard let device = resource["expo.eas_client.id"] else { return nil }
    var draft = Draft(.check, device: device.lowercased(), at: at)
    draft.describe(resource)
    let update = resource["expo.app.updates.id", "expo.app.update_id"]
    draft.release = update?.lowercased() ?? Draft.storeBuild(draft.appVersion)
    draft.channel = resource["expo.app.updates.channel", "expo.channel", "expo.app.channel"]
    return draft
  }

  private static func download(_ point: JSONValue, _ resource: Attributes, _ at: Timestamp?) -> Draft? {
    let said = Attributes(point["attributes"])
    guard var draft = check(resource, at: at),
      let update = said["updateId", "update_id", "expo.update_id", "expo.app.updates.id", "expo.app.update_id"]
    else { return nil }
    (draft.stage, draft.release) = (.downloadCompleted, update.lowercased())
    let seconds = point[["asDouble", "as_double"]]?.number ?? 0
    draft.durationMs = seconds > 0 && seconds < 1e9 ? Int64(seconds * 1000) : nil
    return draft
  }
}
