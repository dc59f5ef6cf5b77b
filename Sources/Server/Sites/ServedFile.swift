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
  let tag: String
  /// When these bytes were first served.
  let since: Timestamp

  /// - Parameter before: what stood at the path until now; the same bytes keep their age.
  init(_ file: SiteFile, now: Timestamp, before: ServedFile?) {
    let tag = file.digest
    if let before, before.tag == tag {
      self = before
      return
    }
    self.tag = tag
    since = now
    body = Array(file.text.utf8)
    let count = body.count
    packed = gzipped(body).flatMap { $0.count < count ? $0 : nil }
    kind = Kind(file.path)
  }

  /// The whole file, packed where the client takes that, or 304 where the client has it.
  ///
  /// - Parameter pause: how often pages are made anew; one that somebody leaves open is loaded again as often.
  func response(to request: Request, anewEvery pause: Console.Duration? = nil) -> Response {
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
    if let pause, kind == .page {
      headers.append(("Refresh", "\(max(Self.shortestPause, Int(pause.seconds)))"))
    }
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

/// `gzip` or `*` without `q=0`.
func acceptsGzip(_ headers: Headers) -> Bool {
  headers.all("accept-encoding").joined(separator: ",").split(separator: ",").contains { part in
    let words = part.filter { $0 != " " && $0 != "\t" }.lowercased().split(separator: ";")
    guard let coding = words.first, coding == "gzip" || coding == "x-gzip" || coding == "*" else { return false }
    let weight = words.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
    return weight != 0
  }
}
