/// OpenTelemetry logs over HTTP, protobuf and JSON.
///
/// SDKs of phones do not look at the status, so a refusal loses data: everything that can be is stored before the answer.
extension Dialect {
  static let otlpRoutes = [
    DialectRoute("POST", "/v1/logs", Dialect(name: "otlp", hear: hearLogs, answer: answerLogs)),
    DialectRoute("POST", "/v1/traces", Dialect(name: "otlp", hear: hearTraces, answer: answerTraces)),
  ]

  /// Spans hold no events of updates: SDKs send them to the same place, and are told that they are not kept.
  @Sendable private static func hearTraces(_ request: ForeignRequest) throws(DialectProblem) -> ParsedRequest {
    var heard = ParsedRequest()
    if request.mediaType == "application/json" {
      for resource in try request.json()[["resourceSpans", "resource_spans"]]?.array ?? [] {
        for scope in resource[["scopeSpans", "scope_spans"]]?.array ?? [] {
          heard.items += scope["spans"]?.array?.count ?? 0
        }
      }
    } else if request.mediaType.hasSuffix("protobuf") {
      do throws(ProtobufProblem) { heard.items = try ProtobufReader.spans(request.body) } catch {
        throw DialectProblem(.malformed, error.message)
      }
    } else {
      throw DialectProblem(.unsupported, "send application/x-protobuf or application/json")
    }
    heard.drop("spans", heard.items)
    return heard
  }

  @Sendable private static func answerTraces(
    _ request: ForeignRequest, _ heard: ParsedRequest?, _ verdict: Verdict
  ) -> ForeignReply {
    switch verdict {
    case .stored:
      OTLPReply(request).stored(
        rejected: heard?.items ?? 0, message: "spans are not kept here; send logs to /v1/logs", field: "rejectedSpans")
    case .refused(let problem): OTLPReply(request).refused(problem)
    }
  }

  @Sendable static func hearLogs(_ request: ForeignRequest) throws(DialectProblem) -> ParsedRequest {
    var heard = ParsedRequest()
    let records = try records(request)
    heard.drafts = ExpoObserve.checks(records)
    for record in records {
      heard.items += 1
      guard var draft = record.draft ?? ExpoObserve.crash(record) else {
        heard.drop("other_record")
        continue
      }
      guard !draft.device.isEmpty else {
        heard.drop("no_device")
        continue
      }
      draft.item = heard.items - 1
      heard.drafts.append(draft)
    }
    return heard
  }

  private static func records(_ request: ForeignRequest) throws(DialectProblem) -> [LogRecord] {
    switch request.mediaType {
    case "application/x-protobuf", "application/protobuf":
      do throws(ProtobufProblem) { return try LogRecord.read(protobuf: request.body) } catch {
        throw DialectProblem(.malformed, error.message)
      }
    case "application/json":
      let body = try request.json()
      guard body.members != nil else { throw DialectProblem(.malformed, "the body is not an ExportLogsServiceRequest") }
      return LogRecord.read(json: body)
    default:
      throw DialectProblem(.unsupported, "send application/x-protobuf or application/json")
    }
  }

  @Sendable static func answerLogs(
    _ request: ForeignRequest, _ heard: ParsedRequest?, _ verdict: Verdict
  ) -> ForeignReply {
    switch verdict {
    case .stored(let decoded, _):
      let anonymous = heard?.dropped["no_device"] ?? 0
      // What is made of the resource alone is no record, whatever becomes of it.
      let others = decoded.rejections.count { heard?.drafts[$0.index].item == Draft.ofNoItem }
      let first = decoded.rejections.dropFirst(others).first?.message
      return OTLPReply(request).stored(
        rejected: decoded.rejected.total - others + anonymous,
        message: first ?? (anonymous > 0 ? "no device: set app.installation.id on the resource" : ""))
    case .refused(let problem): return OTLPReply(request).refused(problem)
    }
  }
}

extension ProtobufReader {
  /// How many spans an `ExportTraceServiceRequest` has: resources under 1, scopes under 2, spans under 2.
  fileprivate static func spans(_ bytes: [UInt8]) throws(ProtobufProblem) -> Int {
    var budget = fieldLimit
    return try ProtobufReader(bytes).count([1, 2, 2], &budget)
  }

  private func count(_ path: ArraySlice<Int>, _ budget: inout Int) throws(ProtobufProblem) -> Int {
    var (reader, found) = (self, 0)
    try reader.eachField(&budget) { (number, value, budget) throws(ProtobufProblem) in
      guard number == path.first, case .bytes(let range) = value else { return }
      found += path.count == 1 ? 1 : try message(range).count(path.dropFirst(), &budget)
    }
    return found
  }
}

/// Answers in the encoding of the request.
struct OTLPReply {
  private let isProtobuf: Bool

  init(_ request: ForeignRequest) { isProtobuf = request.mediaType.hasSuffix("protobuf") }

  /// An empty message where everything was taken. A client must not send the rest again.
  func stored(rejected: Int, message: String, field: String = "rejectedLogRecords") -> ForeignReply {
    if isProtobuf {
      let partial = Protobuf.field(1, rejected) + Protobuf.field(2, Array(message.utf8))
      return ForeignReply(200, "application/x-protobuf", rejected == 0 ? [] : Protobuf.field(1, partial))
    }
    guard rejected > 0 else { return .json("{}") }
    return .json(
      #"{"partialSuccess":{"\#(field)":"\#(rejected)","errorMessage":\#(jsonText(message))}}"#)
  }

  /// A `google.rpc.Status`.
  func refused(_ problem: DialectProblem) -> ForeignReply {
    let code = problem.rpcCode
    let reply =
      isProtobuf
      ? ForeignReply(
        problem.status, "application/x-protobuf",
        Protobuf.field(1, code) + Protobuf.field(2, Array(problem.message.utf8)))
      : .json(#"{"code":\#(code),"message":\#(jsonText(problem.message))}"#, status: problem.status)
    return reply.retry(after: problem.retryAfter)
  }
}

extension DialectProblem {
  /// The code of `google.rpc.Code`.
  fileprivate var rpcCode: Int {
    switch kind {
    case .malformed, .unsupported: 3
    case .tooLarge, .limited: 8
    case .noKey, .wrongKey: 16
    case .wrongScope: 7
    case .busy: 14
    }
  }
}

extension ForeignRequest {
  /// The type of the body without its parameters, in lower case.
  var mediaType: String {
    (headers["content-type"] ?? "").prefix { $0 != ";" }.lowercased().filter { $0 != " " }
  }
}
