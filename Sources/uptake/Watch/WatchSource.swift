internal import Answers
internal import Console
internal import HTTP
internal import Lifecycle
internal import Server
internal import Store

/// One question with its parameters, as `GET /v1/answers/…` takes it.
struct Ask: Equatable, Sendable {
  var question: String
  var parameters: [(name: String, text: String)] = []

  static func == (left: Ask, right: Ask) -> Bool {
    left.question == right.question && left.parameters.elementsEqual(right.parameters, by: ==)
  }
}

/// Where a screen has its answers from. Both give the same documents: they ask the same functions.
protocol WatchSource: Sendable {
  /// Changes whenever an answer may have changed.
  func pulse() throws -> (version: String, eventsPerSecond: Double)
  /// The documents of these questions, of one reading of the database where that can be had.
  func documents(_ asks: [Ask]) throws -> [JSON]
}

/// The database file.
struct DatabaseSource: WatchSource {
  let path: String
  let app: String
  /// What the settings say of verdicts.
  let defaults: [(option: Option, text: String)]
  let clock: @Sendable () -> Instant

  func pulse() throws -> (version: String, eventsPerSecond: Double) {
    let pulse = try Pulse(path: path, app: app, now: clock())
    return ("\(pulse.version)", pulse.eventsPerSecond)
  }

  func documents(_ asks: [Ask]) throws -> [JSON] {
    let now = clock()
    let snapshot = try Snapshot(path: path)
    var documents: [JSON] = []
    for ask in asks { documents.append(try document(ask, snapshot, now)) }
    return documents
  }

  private func document(_ ask: Ask, _ snapshot: borrowing Snapshot, _ now: Instant) throws -> JSON {
    guard let question = questions.first(where: { $0.name == ask.question }) else {
      preconditionFailure("there is no question \(ask.question)")
    }
    let names = question.arguments.map(\.parameterName)
    let own = ask.parameters.compactMap { name, text in
      question.askable.first { $0.name == name }.map { (option: $0, text: text) }
    }
    let usual = defaults.filter { usual in question.askable.contains { $0.name == usual.option.name } }
    let asked = try question.parameters(
      arguments: ask.parameters.filter { names.contains($0.name) }.map(\.text), sent: own + usual + [(.app, app)],
      now: now)
    return try question.answer(asked, snapshot, hash: hashed).presentation.document()
  }
}

extension Pulse {
  var eventsPerSecond: Double { Double(recentEvents) * 1000 / Double(Pulse.window.rawValue) }
}

/// A service, with a read key where it has keys.
struct ServiceSource: WatchSource {
  let address: WebAddress
  let key: String?
  let app: String?
  /// Where the present is fixed.
  let now: Instant?
  let client: HTTPClient

  func pulse() throws -> (version: String, eventsPerSecond: Double) {
    let document = try get("/v1/pulse", [])
    return (document["version"]?.word ?? "", document["eventsPerSecond"]?.double ?? 0)
  }

  func documents(_ asks: [Ask]) throws -> [JSON] {
    try asks.map { try get("/v1/answers/\($0.question)", $0.parameters) }
  }

  private func get(_ path: String, _ parameters: [(name: String, text: String)]) throws -> JSON {
    var all = parameters + (app.map { [("app", $0)] } ?? [])
    if let now, path.hasPrefix("/v1/answers/") { all.append(("now", now.rfc3339)) }
    let query = all.map { "\($0.name)=\(percentEncoded($0.text))" }.joined(separator: "&")
    let place = address.appending(path + (query.isEmpty ? "" : "?" + query))
    let answer: OutboundAnswer
    do throws(OutboundError) {
      answer = try client.send(
        OutboundRequest("GET", place, headers: key.map { [("Authorization", "Bearer \($0)")] } ?? []))
    } catch {
      throw Failure("no_answer", "\(address.authority) does not answer", why: error.description)
    }
    guard answer.status == 200, let document = JSON(parsing: answer.text) else { throw refusal(answer) }
    return document
  }

  private func refusal(_ answer: OutboundAnswer) -> Failure {
    let why = JSON(parsing: answer.text)?["error"]?["message"]?.word
    let isAccess = [401, 403].contains(answer.status)
    return Failure(
      "no_answer", "\(address.authority) answered \(answer.status)", why: why,
      hints: isAccess ? ["give a key that may read with --key or UPTAKE_KEY"] : [])
  }
}
