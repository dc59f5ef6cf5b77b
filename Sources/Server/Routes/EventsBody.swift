internal import Console
internal import HTTP
internal import Ingest
internal import Lifecycle
internal import Store

/// Why a body is not even looked at.
enum Unreadable: Error {
  case type(String)
  case encoding(String)
  case inflation(InflationProblem)
  case sentAt(String)
  case aside(AsideProblem)

  var response: Response {
    switch self {
    case .type(let type):
      .error(
        415, code: "unsupported_type",
        "Content-Type \(type) is not read here; send application/json or application/x-ndjson")
    case .encoding(let encoding):
      .error(
        415, code: "unsupported_encoding",
        "Content-Encoding \(encoding) is not read here; send gzip, deflate, zstd or none"
      )
      .with("Accept-Encoding", "gzip, deflate, zstd")
    case .inflation(.tooLarge):
      .error(413, code: "body_too_large", "the body is larger than allowed once it is inflated")
    case .inflation(let problem): .error(400, code: "bad_compression", "\(problem)")
    case .aside(let problem): .error(400, code: problem.code, problem.message)
    case .sentAt(let text):
      .error(
        400, code: "bad_sent_at",
        "X-Uptake-Sent-At is \"\(text)\"; send RFC 3339 with a zone, or milliseconds since 1970, between the years 2000 and 9999"
      )
    }
  }
}

/// - Parameter isOpen: no key is needed. A form of another site's page can send JSON as `text/plain` without asking, in
///   old browsers also without its origin; what `curl -d` says, no form can make JSON of.
func bodyFormat(_ headers: Headers, isOpen: @autoclosure () -> Bool) throws(Unreadable) -> BodyFormat {
  guard let header = headers["content-type"], header != "application/json" else { return .json }
  let type = header.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
  switch type {
  case "text/plain" where isOpen(): throw .type(String(header.prefix(100)))
  case "application/json", "text/json", "text/plain", "application/x-www-form-urlencoded", "": return .json
  case "application/x-ndjson", "application/ndjson", "application/jsonl", "application/json-seq",
    "application/jsonlines":
    return .ndjson
  default: throw .type(String(header.prefix(100)))
  }
}

/// - Parameter enough: of how many bytes nothing more is wanted.
func plainBody(_ request: Request, limit: Int, enough: Int = .max) throws(Unreadable) -> [UInt8] {
  guard let header = request.headers["content-encoding"] else { return request.body }
  let encoding = header.lowercased()
  if encoding == "identity" || encoding.isEmpty { return request.body }
  guard let known = ContentEncoding(rawValue: encoding == "x-gzip" ? "gzip" : encoding) else {
    throw .encoding(String(encoding.prefix(100)))
  }
  do throws(InflationProblem) {
    return try inflate(request.body.span.bytes, known, limit: limit, enough: enough)
  } catch {
    throw .inflation(error)
  }
}

extension Service {
  /// Who set an address or a header up reads the log; who sends events by it cannot mend it.
  ///
  /// - Parameter client: the dialect of another system's.
  func tellIgnored(_ problem: AsideProblem, client: String? = nil) {
    var facts = ["code": JSON.string(problem.code), "reason": .string(problem.message)]
    if let client { facts["client"] = .string(client) }
    journal.writeSparingly(.warning, "aside_ignored", about: client ?? "", facts)
  }
}

/// What the request says of its events, for those that do not say it themselves.
func asides(_ request: Request) throws(Unreadable) -> Asides {
  do throws(AsideProblem) {
    let query = request.target.rawQuery.isEmpty ? [] : request.target.queryItems
    return try Asides(header: { request.headers[$0] }, query: query)
  } catch {
    throw .aside(error)
  }
}

func sentAt(_ headers: Headers) throws(Unreadable) -> Timestamp? {
  guard let text = headers["x-uptake-sent-at"] else { return nil }
  let instant = Int64(text).map(Timestamp.init(rawValue:)) ?? (try? Timestamp(rfc3339: text))
  guard let instant, instant.isPermitted else { throw .sentAt(String(text.prefix(100))) }
  return instant
}
