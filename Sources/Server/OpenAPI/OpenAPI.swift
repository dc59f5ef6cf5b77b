internal import Console
internal import HTTP

/// `GET /openapi.json`: what every route takes and answers (OpenAPI 3.1), made from the table of routes.
enum OpenAPI {
  static func document(_ routes: [Route]) -> JSON {
    var paths: [String: JSON] = [:]
    for route in routes {
      var methods: [String: JSON] = [:]
      if case .object(let known)? = paths[route.name] { methods = known }
      methods[route.method.lowercased()] = operation(route).json(of: route)
      paths[route.name] = .object(methods)
    }
    return [
      "openapi": "3.1.0",
      "info": [
        "title": "Uptake", "version": "1",
        "description":
          "How fast over-the-air updates reach devices. Errors have one shape; 429 and 503 carry Retry-After.",
      ],
      "security": [["bearer": []], ["header": []], [:]], "paths": .object(paths), "components": components,
    ]
  }

  /// What `docs/http.md` says of the route; another system's protocol answers in its own words.
  private static func operation(_ route: Route) -> Operation {
    operations["\(route.method) \(route.name)"]
      ?? Operation(
        "An endpoint of another system's clients, answered in their protocol", parameters: pathParameters(route),
        answers: [
          200: .foreign, 400: .foreign, 401: .foreign, 403: .foreign, 413: .foreign, 415: .foreign, 503: .foreign,
        ])
  }

  private static func pathParameters(_ route: Route) -> [JSON] {
    route.pattern.filter { $0.hasPrefix("{") }.map { .place(String($0.dropFirst().dropLast()), ["type": "string"]) }
  }

  private static let components: JSON = [
    "securitySchemes": [
      "bearer": ["type": "http", "scheme": "bearer"],
      "header": ["type": "apiKey", "in": "header", "name": "X-Uptake-Key"],
    ],
    "schemas": [
      "Event": event, "Stored": stored, "Problem": problem, "Publication": publication, "Registered": registered,
      "Answer": answer,
    ],
  ]
}

/// One method of one path.
struct Operation: Sendable {
  enum Answer: Sendable {
    case schema(String, JSON)
    /// The same with an `ETag`.
    case tagged(String, JSON)
    case nothing(String)
    case text(String)
    case problem(String)
    case foreign
  }
  var summary: String
  var parameters: [JSON]
  var body: JSON?
  var answers: [Int: Answer]

  init(_ summary: String, parameters: [JSON] = [], body: JSON? = nil, answers: [Int: Answer]) {
    (self.summary, self.parameters, self.body, self.answers) = (summary, parameters, body, answers)
  }

  func json(of route: Route) -> JSON {
    var all = answers
    for (status, why) in Self.common(route) where all[status] == nil { all[status] = .problem(why) }
    var fields: [String: JSON] = [
      "summary": .string(summary),
      "responses": .object(Dictionary(uniqueKeysWithValues: all.map { (String($0.key), $0.value.json) })),
    ]
    if !parameters.isEmpty { fields["parameters"] = .array(parameters) }
    if let body { fields["requestBody"] = body }
    if case .anybody = route.access, route.method == "GET" { fields["security"] = [] }
    return .object(fields)
  }

  /// What every route may answer.
  private static func common(_ route: Route) -> [Int: String] {
    var answers = [
      400: "The request is malformed", 408: "The body came too slowly", 413: "The body is too large",
      429: "Too many requests, or connections, of this address or key", 431: "The headers are too large",
    ]
    if case .holder = route.access {
      answers[401] = "No key, or a wrong one"
      answers[403] = "The key is for something else"
    }
    return answers
  }
}

extension Operation.Answer {
  fileprivate var json: JSON {
    switch self {
    case .schema(let what, let schema):
      ["description": .string(what), "content": ["application/json": ["schema": schema]]]
    case .tagged(let what, let schema):
      [
        "description": .string(what), "content": ["application/json": ["schema": schema]],
        "headers": [
          "ETag": [
            "description": "Of the publication as it is registered: If-Match takes it", "schema": ["type": "string"],
          ]
        ],
      ]
    case .nothing(let what): ["description": .string(what)]
    case .text(let what): ["description": .string(what), "content": ["text/plain": ["schema": ["type": "string"]]]]
    case .problem(let what):
      ["description": .string(what), "content": ["application/json": ["schema": .reference("Problem")]]]
    case .foreign: ["description": "In that system's protocol"]
    }
  }
}

extension JSON {
  static func reference(_ name: String) -> JSON { ["$ref": .string("#/components/schemas/" + name)] }

  /// A parameter in the path.
  static func place(_ name: String, _ schema: JSON) -> JSON {
    ["name": .string(name), "in": "path", "required": true, "schema": schema]
  }

  static func header(_ name: String, _ help: String, _ schema: JSON = ["type": "string"]) -> JSON {
    [
      "name": .string(name), "in": "header", "required": false, "description": .string(help), "schema": schema,
    ]
  }

  /// A parameter in the query.
  static func asked(_ name: String, _ help: String, _ schema: JSON = ["type": "string"]) -> JSON {
    ["name": .string(name), "in": "query", "required": false, "description": .string(help), "schema": schema]
  }
}
