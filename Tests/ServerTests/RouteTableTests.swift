import Testing

@testable import Server

struct RouteTableTests {
  private let table = RouteTable(routes + pageRoutes)

  /// Every row's own path, with words in place of its placeholders; and paths beside them.
  static let paths: [[String]] =
    (routes + pageRoutes).flatMap { row in
      let path = row.pattern.map { $0.hasPrefix("{") ? "word" : $0 }
      return [path, path + [""], path + ["more"], ["before"] + path, Array(path.dropLast())]
    } + [[], [""], ["v1"], ["v1", "events", ""], ["v1", "answers"], ["V1", "events"], ["v1/events"]]

  /// The dictionary of plain paths is a shortcut and says nothing else.
  @Test func findsWhatGoingThroughTheRowsFinds() {
    for path in Self.paths {
      for method in ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH"] {
        let (found, scanned) = (table.find(method, path), table.scan(method, path))
        #expect("\(words(found))" == "\(words(scanned))", "\(method) \(path)")
      }
    }
  }

  private func words(_ finding: RouteTable.Finding) -> String {
    switch finding {
    case .route(let route, let parameters): "\(route.method) \(route.name) \(parameters.sorted { $0.key < $1.key })"
    case .otherMethods(let methods, let name): "\(methods) \(name)"
    case .nothing: "nothing"
    }
  }

  /// Nobody can be reached under two rows, and none is hidden behind another.
  @Test func everyRowIsFoundUnderItsOwnPath() {
    for row in routes + pageRoutes {
      let path = row.pattern.map { $0.hasPrefix("{") ? "word" : $0 }
      #expect(table.find(row.method, path).name == row.name, "\(row.method) \(row.name)")
    }
  }

  static let findings: [(String, [String], String)] = [
    ("POST", ["v1", "events"], "POST /v1/events []"), ("HEAD", ["healthz"], "GET /healthz []"),
    ("GET", ["v1", "events"], #"["POST"] /v1/events"#),
    ("PATCH", ["v1", "releases", "1.0"], #"["GET", "PUT", "DELETE"] /v1/releases/{release}"#),
    ("GET", ["v1", "answers", "push"], #"GET /v1/answers/{question} [(key: "question", value: "push")]"#),
    ("GET", [], "GET / []"), ("GET", ["r1.html"], #"GET /{page} [(key: "page", value: "r1.html")]"#),
    ("POST", ["r1.html"], "nothing"), ("GET", ["a", "b", "c", "d", "e"], "nothing"),
  ]

  @Test(arguments: findings) func finds(_ method: String, _ path: [String], _ expected: String) {
    #expect(words(table.find(method, path)) == expected)
  }

  @Test func anotherSystemsPathMayStandBehindAPrefixAndEndInASlash() throws {
    let anywhere = try #require(routes.first { $0.isAnywhere })
    let path = anywhere.pattern.map { $0.hasPrefix("{") ? "word" : $0 }
    #expect(table.find(anywhere.method, ["prefix"] + path).name == anywhere.name)
    #expect(table.find(anywhere.method, path + [""]).name == anywhere.name)
  }
}
