import Lifecycle

/// Capgo: `POST /stats`, one report or an array of them, answered item by item.
extension Dialect {
  static let capgoRoutes = [
    DialectRoute("POST", "/stats", Dialect(name: "capgo", proof: .inside, hear: hearStats, answer: answerStats))
  ]

  @Sendable private static func hearStats(_ request: ForeignRequest) throws(DialectProblem) -> ParsedRequest {
    let body = try request.json()
    guard body.members != nil || body.array != nil else {
      throw DialectProblem(.malformed, "send one report or an array of reports")
    }
    let reports = body.array ?? [body]
    let apps = Set(reports.compactMap { $0["app_id"]?.text })
    guard apps.count <= 1 else { throw DialectProblem(.malformed, "a batch is of one app_id") }
    var heard = ParsedRequest(credential: apps.first)
    heard.isBatch = body.array != nil
    heard.subjects = .underWay
    heard.items = reports.count
    for (item, report) in reports.enumerated() { heard.take(CapgoReport(report), item) }
    return heard
  }

  @Sendable private static func answerStats(
    _ request: ForeignRequest, _ heard: ParsedRequest?, _ verdict: Verdict
  ) -> ForeignReply {
    switch verdict {
    case .stored(let decoded, _):
      let refused = heard?.refusedItems(decoded) ?? [:]
      if heard?.isBatch == true { return .json(batch(heard?.items ?? 0, refused)) }
      guard let word = refused[0] else { return .json(#"{"status":"ok"}"#) }
      return .json(#"{"error":\#(jsonText(word)),"message":\#(jsonText(word))}"#, status: 400)
    case .refused(let problem):
      let body = #"{"error":"\#(problem.reason)","message":\#(jsonText(problem.message))}"#
      return ForeignReply.json(body, status: problem.status).retry(after: problem.retryAfter)
    }
  }

  private static func batch(_ items: Int, _ refused: [Int: String]) -> String {
    let results = (0..<items).map { item in
      refused[item].map { #"{"status":"error","index":\#(item),"error":\#(jsonText($0))}"# }
        ?? #"{"status":"ok","index":\#(item)}"#
    }
    return #"{"status":"ok","results":[\#(results.joined(separator: ","))]}"#
  }
}

extension ParsedRequest {
  fileprivate mutating func take(_ report: CapgoReport, _ item: Int) {
    guard let action = report.action else { return refuse(item, "missing_action") }
    guard report.hasDevice else { return refuse(item, "missing_device_id") }
    guard report.hasApp else { return refuse(item, "missing_app_id") }
    guard let meaning = CapgoAction.meaning(of: action, outOfSight: report.endedOutOfSight) else {
      return drop(CapgoAction.counted.contains(action) ? "action_" + action : "action_other")
    }
    guard action != "download_fail" || !report.isOldPlugin else { return drop("old_download_fail") }
    guard !report.isDownloadNamedLikeStoreBuild(meaning) else { return drop("named_like_store_build") }
    guard var draft = report.draft(meaning, action) else { return drop("no_release") }
    if CapgoAction.namesWhatRuns(action, on: draft.platform) { draft.release = nil }
    draft.item = item
    drafts.append(draft)
  }

  private mutating func refuse(_ item: Int, _ word: String) {
    drop(word)
    refusals[item] = word
  }

  /// By item, in a word, also what only the checks of the contract refused.
  func refusedItems(_ decoded: Decoded) -> [Int: String] {
    decoded.rejections.reduce(into: refusals) { words, rejection in
      if drafts.indices.contains(rejection.index) { words[drafts[rejection.index].item] = rejection.code.rawValue }
    }
  }
}
