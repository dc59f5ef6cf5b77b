/// The rows of the service, found by method and path.
///
/// The first row that fits counts. Paths without placeholders, which nearly all requests are about, are looked up in a
/// dictionary; the others are compared row by row. `RouteTableTests` holds both against each other.
struct RouteTable: Sendable {
  enum Finding: Sendable {
    case route(Route, parameters: [String: String])
    /// The path is known, with other methods only.
    case otherMethods([String], name: String)
    case nothing

    var route: Route? {
      if case .route(let route, _) = self { route } else { nil }
    }

    /// As metrics name it.
    var name: String {
      switch self {
      case .route(let route, _): route.name
      case .otherMethods(_, let name): name
      case .nothing: "other"
      }
    }
  }

  let rows: [Route]
  private var plain: [String: [[String]: Route]] = [:]

  init(_ rows: [Route]) {
    self.rows = rows
    for row in rows where !row.pattern.contains(where: { $0.hasPrefix("{") }) {
      guard case .route(let first, _) = scan(row.method, row.pattern), first.name == row.name else { continue }
      plain[row.method, default: [:]][row.pattern] = first
    }
  }

  /// - Parameter segments: the path's parts, decoded.
  func find(_ method: String, _ segments: [String]) -> Finding {
    plain[method]?[segments].map { .route($0, parameters: [:]) } ?? scan(method, segments)
  }

  /// HEAD is answered where GET is.
  func scan(_ method: String, _ segments: [String]) -> Finding {
    var (allowed, name) = ([String](), "")
    for row in rows {
      guard let parameters = row.match(segments) else { continue }
      let isFitting = row.method == method || method == "HEAD" && row.method == "GET"
      // A path of pages fits nearly everything: where another route has it, it is no page.
      if row.access.isForBrowsers, !allowed.isEmpty || !isFitting { continue }
      if isFitting { return .route(row, parameters: parameters) }
      if allowed.isEmpty { name = row.name }
      allowed.append(row.method)
    }
    return allowed.isEmpty ? .nothing : .otherMethods(allowed, name: name)
  }
}
