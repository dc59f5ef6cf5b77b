internal import Answers
internal import Console
internal import HTTP
internal import Lifecycle
internal import Query
internal import Report
internal import Store

/// A question that a request asked, read and found to be one: what a worker needs to answer it.
struct AskedQuestion: Equatable, Sendable {
  /// How the answer is to be told.
  enum Form: Equatable, Sendable {
    /// As the command's JSON.
    case json
    /// The same, with a status that programs understand: 200 to go on, 412 to wait or to stop.
    case gate
    /// In a crash reporter's words.
    case fragment(CrashFormat)
  }

  var form = Form.json
  var question: String
  var arguments: [String]
  var options: [Sent]
  var now: Instant
  /// Whoever has a key of one app is not told which others there are.
  var hasKey: Bool

  /// An option by its name.
  struct Sent: Equatable, Sendable {
    var name: String
    var text: String
  }

  init(
    _ form: Form = .json, _ question: QuestionCommand, arguments: [String], sent: [(option: Option, text: String)],
    now: Instant, hasKey: Bool
  ) {
    self.init(
      form: form, question: question.name, arguments: arguments,
      options: sent.map { Sent(name: $0.option.name, text: $0.text) }, now: now, hasKey: hasKey)
  }

  init(form: Form, question: String, arguments: [String], options: [Sent], now: Instant, hasKey: Bool) {
    (self.form, self.question, self.arguments, self.options) = (form, question, arguments, options)
    (self.now, self.hasKey) = (now, hasKey)
  }
}

extension AskedQuestion {
  /// Throws what is wrong with what was asked, before it takes anybody's time.
  func check() throws {
    let command = try command()
    _ = try parameters(command)
  }

  /// - Parameter path: of the database.
  func answer(_ path: String) throws -> Response {
    let command = try command()
    let asked = try parameters(command)
    let snapshot = try Snapshot(path: path)
    switch form {
    case .json: return try .json(command.answer(asked, snapshot, hash: hashed).presentation)
    case .gate:
      let shown = try command.answer(asked, snapshot, hash: hashed)
      return try .json(shown.presentation, status: shown.exit == .done ? 200 : 412)
    case .fragment(let format):
      let device = try Breadcrumbs.answer(asked, snapshot, hash: hashed).data.first
      return .json((device?.fragment(format) ?? [:]).text(.compact) + "\n")
    }
  }

  private func command() throws -> QuestionCommand {
    if let command = questions.first(where: { $0.name == question }) { return command }
    throw BadForm(nil, "there is no question \"\(question)\"")
  }

  private func parameters(_ command: QuestionCommand) throws -> Parameters {
    let known = command.askable + [.app]
    let sent = try options.map { one in
      guard let option = known.first(where: { $0.name == one.name }) else {
        throw BadForm(one.name, "there is no parameter \"\(one.name)\"")
      }
      return (option: option, text: one.text)
    }
    return try command.parameters(arguments: arguments, sent: sent, now: now)
  }
}

// MARK: as a message

extension AskedQuestion {
  private enum Word { static let json = "json", gate = "gate" }

  /// - Parameter milliseconds: how long the answer may take.
  func message(within milliseconds: Int64) -> [String] {
    let form =
      switch form {
      case .json: Word.json
      case .gate: Word.gate
      case .fragment(let format): format.rawValue
      }
    return [form, question, hasKey ? "key" : "", "\(now.rawValue)", "\(milliseconds)", "\(arguments.count)"] + arguments
      + options.flatMap { [$0.name, $0.text] }
  }

  /// nil where the message is none.
  static func read(_ message: [String]) -> (asked: AskedQuestion, milliseconds: Int64)? {
    guard message.count >= 6, let now = Int64(message[3]), let milliseconds = Int64(message[4]),
      let count = Int(message[5]), count >= 0, message.count >= 6 + count, (message.count - count) % 2 == 0
    else { return nil }
    let form: Form
    switch message[0] {
    case Word.json: form = .json
    case Word.gate: form = .gate
    case let word:
      guard let format = CrashFormat(rawValue: word) else { return nil }
      form = .fragment(format)
    }
    let rest = message.dropFirst(6 + count)
    let options = stride(from: rest.startIndex, to: rest.endIndex, by: 2).map {
      Sent(name: rest[$0], text: rest[$0 + 1])
    }
    let asked = AskedQuestion(
      form: form, question: message[1], arguments: Array(message[6..<6 + count]), options: options,
      now: Instant(rawValue: now), hasKey: message[2] == "key")
    return (asked, milliseconds)
  }
}
