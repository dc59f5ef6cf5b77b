internal import Console
internal import FoundationEssentials
internal import HTTP
internal import Lifecycle
internal import Locks

/// `GET /v1/answers/{question}`: runs the command of that name and answers with its JSON, so that both are one thing.
@Sendable func answerQuestion(_ service: Service, _ call: Call, _ responder: Responder) {
  let name = call.parameters["question"] ?? ""
  guard let command = questions.first(where: { $0.name == name }) else {
    let known = questions.map(\.name).joined(separator: ", ")
    return responder.respond(.error(404, code: "unknown_question", "there is no question \"\(name)\"; known: \(known)"))
  }
  do throws(BadForm) {
    let words = try commandWords(command, call, path: service.settings.path)
    let hasKey = call.app != nil
    service.desk.take(responder) { service.run(words).response(hasKey: hasKey) }
  } catch {
    responder.respond(.error(error.status, code: error.status == 403 ? "wrong_app" : "bad_request", error.message))
  }
}

/// The commands that only read.
var questions: [Command] { commands.filter { $0.group == "QUESTIONS" } }

/// The options that a request may give: they choose and count, and touch nothing.
private let groups: Set<String> = ["FILTERS", "STATISTICS"]

extension Command {
  /// The options that a request may give.
  var askable: [Option] { options.filter { groups.contains($0.group) } + [.now] }

  /// What a request may name: the arguments, and the options of those groups.
  fileprivate var parameters: [String] {
    arguments.map { $0.name.lowercased() } + askable.map(\.name)
  }
}

/// The command line that asks the same. Values stand behind `=`, so none can pass for an option.
private func commandWords(_ command: Command, _ call: Call, path: String) throws(BadForm) -> [String] {
  var (positional, options): ([Int: String], [String]) = ([:], [])
  try call.request.target.requireWhole()
  for (name, value) in call.request.target.queryItems {
    if let place = command.arguments.firstIndex(where: { $0.name.lowercased() == name }) {
      guard positional.updateValue(value, forKey: place) == nil else { throw BadForm(name, "\(name) is given twice") }
    } else if name == "app", let app = call.app {
      if app != value { throw BadForm("app", "the key is for another app", status: 403) }
    } else if let option = command.options.first(where: { $0.name == name }), command.parameters.contains(name) {
      options += try words(option, value)
    } else {
      throw BadForm(
        name, "there is no parameter \"\(name)\"; known: \(command.parameters.joined(separator: ", "))")
    }
  }
  for (place, argument) in command.arguments.enumerated() where argument.arity == .one && positional[place] == nil {
    throw BadForm(argument.name, "the parameter \(argument.name.lowercased()) is missing")
  }
  if let app = call.app { options.append("--app=\(app)") }
  return [command.name, "--db=\(path)", "--format=json", "--error-format=json", "--quiet"] + options + ["--"]
    + positional.sorted { $0.key < $1.key }.map(\.value)
}

extension Target {
  /// A parameter that cannot be read must not be left out: without it the request asks for something else.
  func requireWhole() throws(BadForm) {
    guard !isWhole else { return }
    throw BadForm(nil, "a parameter cannot be decoded: write bytes as %XX, in UTF-8, and none that is zero")
  }
}

/// A flag is on without a value, or with `true`.
private func words(_ option: Option, _ value: String) throws(BadForm) -> [String] {
  guard !option.takesValue else { return ["--\(option.name)=\(value)"] }
  switch value {
  case "", "1", "true": return ["--\(option.name)"]
  case "0", "false": return []
  default: throw BadForm(option.name, "\(option.name) is true or false")
  }
}

/// What a command did that a request asked for.
struct CommandRun {
  var exit: ExitCode
  var output: String
  var errors: String

  /// - Parameter hasKey: whoever has a key of one app is not told which others there are.
  func response(hasKey: Bool) -> Response {
    if !output.isEmpty { return .json(output) }
    if hasKey, words?.code == "unknown_app" || words?.code == "nothing_stored" {
      return .error(404, code: "nothing_stored", "nothing is stored of the app that the key is for")
    }
    return switch exit {
    case .usage: .error(400, code: "bad_request", message)
    case .notEnoughData: .error(404, code: "nothing_stored", message)
    case .databaseUnusable:
      Response.error(503, code: "database_unusable", "the database cannot be read now").with("Retry-After", "5")
    case .failed where words?.code == "question_too_long": .questionTooLong
    default: .error(500, code: "internal", "the question failed")
    }
  }

  private struct Words: Decodable {
    var code: String
    var message: String
    var hint: String?
  }

  /// The command's own error.
  private var words: Words? { try? JSONDecoder().decode(Words.self, from: Data(errors.utf8)) }

  private var message: String {
    guard let words else { return "the question cannot be answered" }
    return [words.message, words.hint].compactMap { $0 }.joined(separator: "; ")
  }
}

extension Service {
  func run(_ words: [String]) -> CommandRun {
    let (output, errors) = (TextBuffer(), TextBuffer())
    let host = Host(
      arguments: words, environment: [:], output: output.sink, errors: errors.sink, clock: settings.clock,
      readFile: { _ in nil })
    let exit = program.run(host, explain: explain)
    return CommandRun(exit: exit, output: output.text, errors: errors.text)
  }
}

/// A sink in memory.
private final class TextBuffer: Sendable {
  private let bytes = Lock<[UInt8]>([])
  var text: String { String(decoding: bytes.withLock { $0 }, as: UTF8.self) }
  var sink: Sink { Sink(isTerminal: false, columns: 80) { more in self.bytes.withLock { $0 += more } } }
}
