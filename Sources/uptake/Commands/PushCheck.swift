internal import Answers
internal import Console
internal import Ingest
internal import Preflight
internal import Server

private extension Option {
  static let headers = Option(
    "headers", .text, value: "NAME=VALUE", arity: .list,
    help: "What the request to APNs says beside the payload, such as apns-push-type=background; with : for = as well")
  static let gateway = Option(
    "gateway", .choice(Gateway.allCases.map(\.rawValue)),
    help: "Which gateway the message is for; where not given its form tells")
}

extension Command {
  /// The question `push`, and the check of a payload behind it.
  static let push: Command = {
    var command = QuestionCommand.push.command(hash: hashed)
    command.subcommands = [.pushCheck]
    return command
  }()

  static let pushCheck = Command(
    "check", purpose: "Check the payload of a silent push, before it is sent",
    discussion: """
      Holds a payload for APNs, or a message for FCM's HTTP v1 API, against what the systems ask of a push that wakes the app \
      and shows nothing: a rule a line, with what was found and what to do. Both forms of Swiftpatch's own keys are known. \
      Nothing is sent. Exit status 3 where a rule fails. A release named check is asked for with: uptake push -- check
      """,
    arguments: [.init("PAYLOAD", completion: "files", help: "A file of JSON; - is standard input")],
    options: [.headers, .gateway] + Option.answer,
    examples: [
      .init(
        "With the headers of its request",
        "uptake push check payload.json --headers apns-push-type=background,apns-priority=5"
      ),
      .init("In a pipeline", "uptake push check - < message.json"),
    ], exits: [.gateNotMet], seeAlso: ["push", "app check"]
  ) { invocation in
    let message = PushMessage(
      try invocation.payload(), headers: try invocation.headers(), gateway: invocation.choice(.gateway))
    return try invocation.show(rulings(on: message), schema: "uptake.push-check/1")
  }
}

extension Invocation {
  fileprivate func payload() throws -> JSONValue {
    let path = arguments[0]
    guard let bytes = try host.readFile(path == "-" ? "/dev/stdin" : path) else {
      throw Failure("file_missing", "there is no file \(path)", hints: ["check the path"], exit: .usage)
    }
    guard bytes.contains(where: { $0 > UInt8(ascii: " ") }) else {
      throw Failure(
        "not_json", "there is nothing in it", place: path == "-" ? "standard input" : path,
        hints: ["give the payload alone, as the gateway is sent it"], exit: .gateNotMet)
    }
    do throws(JSONProblem) { return try JSONReader.read(bytes) } catch {
      throw Failure(
        "not_json", error.message, place: path == "-" ? "standard input" : path,
        hints: ["give the payload alone, as the gateway is sent it"], exit: .gateNotMet)
    }
  }

  fileprivate func headers() throws -> [String: String]? {
    let given = texts(.headers)
    guard !given.isEmpty else { return nil }
    var headers: [String: String] = [:]
    for text in given {
      guard let header = PushMessage.header(text) else {
        throw Failure(
          "bad_value", "\"\(text)\" is not a header", place: "--headers", hints: ["write apns-priority=5"],
          exit: .usage)
      }
      headers[header.name] = header.value
    }
    return headers
  }
}
