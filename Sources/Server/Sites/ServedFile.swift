internal import Console
internal import HTTP
internal import Ingest
internal import Lifecycle
internal import Report

/// A file of a site as it is served: packed once when it was rendered, then answered from memory.
struct ServedFile: Sendable {
  private let body: [UInt8]
  /// Nil where packing gains nothing.
  private let packed: [UInt8]?
  private let kind: Kind
  /// After so many seconds a page is loaded again; nil for what stays as it is.
  private let pause: Int?
  let tag: String
  /// When these bytes were first served.
  let since: Timestamp

  /// - Parameters:
  ///   - every: how often pages are made anew; one that somebody leaves open is loaded again as often.
  ///   - before: what stood at the path until now; the same bytes keep their age.
  init(_ file: SiteFile, now: Timestamp, every: Console.Duration? = nil, before: ServedFile?) {
    let tag = file.digest
    if let before, before.tag == tag {
      self = before
      return
    }
    let kind = Kind(file.path)
    let pause = kind == .page ? every.map { max(Self.shortestPause, Int($0.seconds)) } : nil
    let text = pause.map { Reloading.shown(file.text, everySeconds: $0) } ?? file.text
    self.init(text, kind, pause: pause, tag: tag, since: now)
  }

  private init(_ text: String, _ kind: Kind, pause: Int?, tag: String, since: Timestamp) {
    (self.kind, self.pause, self.tag, self.since) = (kind, pause, tag, since)
    body = Array(text.utf8)
    let count = body.count
    packed = gzipped(body).flatMap { $0.count < count ? $0 : nil }
  }

  /// The same page for who stopped its reloading. Few do: it is made when it is asked for.
  private var still: ServedFile {
    let text = Reloading.stopped(String(decoding: body, as: UTF8.self))
    return ServedFile(text, kind, pause: nil, tag: tag + "-still", since: since)
  }

  /// The whole file, packed where the client takes that, or 304 where the client has it.
  func response(to request: Request) -> Response {
    if pause != nil, request.isStill { return still.response(to: request) }
    let isPacked = packed != nil && acceptsGzip(request.headers)
    let etag = isPacked ? "\"\(tag)-gzip\"" : "\"\(tag)\""
    var headers = [
      ("ETag", etag), ("Last-Modified", HTTPDate.text(since)), ("Cache-Control", "private, no-cache"),
      ("Vary", "Accept-Encoding, Authorization, X-Uptake-Key"),
    ]
    // A browser puts the headers of a 304 in the place of those that it keeps: without these a page lost its style.
    headers += ServedFile.guards(kind)
    if isKnown(request.headers, etag) { return Response(status: 304, headers: headers) }
    headers.append(("Content-Type", kind.type))
    if isPacked { headers.append(("Content-Encoding", "gzip")) }
    if let pause { headers.append(("Refresh", "\(pause)")) }
    return Response(headers: headers, body: isPacked ? packed ?? body : body)
  }

  /// In seconds: somebody reads the page.
  private static let shortestPause = 60

  /// RFC 9110, 13.2.2: a tag, where one is sent, decides alone. Of times only the one that was sent with the page: a later
  /// one may be from a clock that was ahead.
  private func isKnown(_ headers: Headers, _ etag: String) -> Bool {
    let tags = headers.all("if-none-match").joined(separator: ",")
    if !tags.isEmpty {
      return tags.split(separator: ",").contains { word in
        let word = word.filter { $0 != " " && $0 != "\t" }
        return word == "*" || word == etag || word == "W/" + etag
      }
    }
    guard let seen = headers["if-modified-since"].flatMap(HTTPDate.instant) else { return false }
    return since.seconds == seen.seconds
  }

  /// What a browser may do with a page: nothing but show it.
  static let guards = guards(.page)

  private static func guards(_ kind: Kind) -> [(String, String)] {
    let policy = kind == .picture ? Site.picturePolicy : Site.policy
    return [
      ("Content-Security-Policy", policy + "; frame-ancestors 'none'"), ("X-Content-Type-Options", "nosniff"),
      ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
    ]
  }

  private enum Kind {
    case page, data, picture, table

    init(_ path: String) {
      switch path.split(separator: ".").last {
      case "json": self = .data
      case "svg": self = .picture
      case "csv": self = .table
      default: self = .page
      }
    }

    var type: String {
      switch self {
      case .page: "text/html; charset=utf-8"
      case .data: "application/json"
      case .picture: "image/svg+xml"
      case .table: "text/csv; charset=utf-8; header=present"
      }
    }
  }
}

extension Request {
  /// Whether the page is asked not to load itself again.
  var isStill: Bool { target.queryItems.contains { "\($0.name)=\($0.value)" == Reloading.off } }
}

/// `gzip` or `*` without `q=0`.
func acceptsGzip(_ headers: Headers) -> Bool {
  headers.all("accept-encoding").joined(separator: ",").split(separator: ",").contains { part in
    let words = part.filter { $0 != " " && $0 != "\t" }.lowercased().split(separator: ";")
    guard let coding = words.first, coding == "gzip" || coding == "x-gzip" || coding == "*" else { return false }
    let weight = words.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
    return weight != 0
  }
}
