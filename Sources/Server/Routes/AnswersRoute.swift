internal import Answers
internal import Console
internal import HTTP
internal import Store

/// `GET /v1/answers/{question}`: the JSON of the command of that name, from the same parameters and the same function.
@Sendable func answerQuestion(_ service: Service, _ call: Call, _ responder: Responder) {
  answer(call.parameters["question"] ?? "", service, call, responder)
}

func answer(_ name: String, _ service: Service, _ call: Call, _ responder: Responder) {
  guard let question = questions.first(where: { $0.name == name }) else {
    let known = questions.map(\.name).joined(separator: ", ")
    return responder.respond(.error(404, code: "unknown_question", "there is no question \"\(name)\"; known: \(known)"))
  }
  service.ask(responder, call) { try question.asked(.json, by: call, service.settings) }
}

/// `GET /v1/gate`: the verdict as `GET /v1/answers/verdict` gives it, with a status that programs understand: 200 to go on, 412 to
/// wait or to stop. `POST` is for hooks that post what they are about: their body is not read for anything.
@Sendable func answerGate(_ service: Service, _ call: Call, _ responder: Responder) {
  service.ask(responder, call) { try QuestionCommand.verdict.asked(.gate, by: call, service.settings) }
}

extension QuestionCommand {
  /// What the request asks; the key's app goes without saying.
  fileprivate func asked(
    _ form: AskedQuestion.Form, by call: Call, _ settings: Service.Settings
  ) throws -> AskedQuestion {
    var (named, sent): ([Int: String], [(option: Option, text: String)]) = ([:], [])
    try call.request.target.requireWhole()
    for (name, value) in call.request.target.queryItems {
      if let place = arguments.firstIndex(where: { $0.parameterName == name }) {
        guard !value.isEmpty else { throw BadForm(empty: name) }
        guard named.updateValue(value, forKey: place) == nil else { throw BadForm(name, "\(name) is given twice") }
      } else if name == Option.app.name, let app = call.app {
        if app != value { throw BadForm("app", "the key is for another app", status: 403) }
      } else if let option = askable.first(where: { $0.name == name }) {
        if let text = try text(option, value) { sent.append((option, text)) }
      } else {
        throw BadForm(name, "there is no parameter \"\(name)\"; known: \(parameterNames.joined(separator: ", "))")
      }
    }
    for (place, argument) in arguments.enumerated() where argument.arity == .one && named[place] == nil {
      throw BadForm(argument.name, "the parameter \(argument.parameterName) is missing")
    }
    if let app = call.app { sent.append((.app, app)) }
    try Option.requireObjective(sent.map(\.option), usual: settings.defaults.map(\.option))
    sent += settings.defaults.filter { usual in
      askable.contains { $0.name == usual.option.name } && !sent.contains { $0.option.name == usual.option.name }
    }
    return AskedQuestion(
      form, self, arguments: named.sorted { $0.key < $1.key }.map(\.value), sent: sent, now: settings.clock(),
      hasKey: call.app != nil)
  }

  /// A flag is on without a value, or with `true`.
  private func text(_ option: Option, _ value: String) throws(BadForm) -> String? {
    if option.takesValue {
      guard !value.isEmpty else { throw BadForm(empty: option.name) }
      if option.kind == .instant { try requirePlus(option.name, value) }
      return value
    }
    switch value {
    case "", "1", "true": return "true"
    case "0", "false": return nil
    default: throw BadForm(option.name, "\(option.name) is true or false")
    }
  }
}

extension Target {
  /// A parameter that cannot be read must not be left out: without it the request asks for something else.
  func requireWhole() throws(BadForm) {
    guard !isWhole else { return }
    throw BadForm(nil, "a parameter cannot be decoded: write bytes as %XX, in UTF-8, and none that is zero")
  }
}

extension Service {
  /// Reads a question at once, and has it answered in line, by a worker where there are any.
  func ask(_ responder: Responder, _ call: Call, _ read: () throws -> AskedQuestion) {
    take(responder, call) {
      let asked = try read()
      try asked.check()
      return { [self] in
        guard let workers else { return try asked.answer(settings.asked) }
        return workers.answer(asked, until: Patience.end ?? .now)
      }
    }
  }

  /// Reads a request at once, and answers it in line. What is wrong with it takes no place there.
  func take(_ responder: Responder, _ call: Call, _ read: () throws -> @Sendable () throws -> Response) {
    let hasKey = call.app != nil
    do {
      let answer = try read()
      desk.take(responder) {
        do { return try answer() } catch { return self.refusal(error, hasKey) }
      }
    } catch {
      responder.respond(refusal(error, hasKey))
    }
  }

  /// What nobody is to blame for who asks is found in the log.
  private func refusal(_ error: any Error, _ hasKey: Bool) -> Response {
    let response = Response(asking: error, hasKey: hasKey)
    if response.isFault(error) { noteFailure(error) }
    return response
  }
}

extension Response {
  static func json(_ shown: Presentation, status: Int = 200) throws -> Response {
    .json(try shown.text() + "\n", status: status)
  }

  /// Why a question is not answered.
  ///
  /// - Parameter hasKey: whoever has a key of one app is not told which others there are.
  init(asking error: any Error, hasKey: Bool) {
    if let form = error as? BadForm {
      self = .error(form.status, code: form.status == 403 ? "wrong_app" : "bad_request", form.message)
      return
    }
    if case .remote(let problem)? = (error as? StoreError)?.kind {
      self = Response(problem)
      return
    }
    guard let failure = Failure(explaining: error) else {
      self = .error(500, code: "internal", "the question failed")
      return
    }
    self.init(failure, hasKey: hasKey, requestWords(error, failure))
  }

  /// Where the warehouse is, and who asks it, is for the log.
  private init(_ problem: RemoteProblem) {
    self =
      problem.kind == .unsupported
      ? .error(404, code: problem.code, "a warehouse does not hold that; ask a node that ships there")
      : Response.error(503, code: problem.code, "the warehouse cannot answer now; ask again soon")
        .retry(after: 5)
  }

  private init(_ failure: Failure, hasKey: Bool, _ message: String) {
    if hasKey, failure.code == "unknown_app" || failure.code == "nothing_stored" {
      self = .error(404, code: "nothing_stored", "nothing is stored of the app that the key is for")
      return
    }
    self =
      switch failure.exit {
      case .usage: .error(400, code: "bad_request", message)
      case .notEnoughData: .error(404, code: "nothing_stored", message)
      case .databaseUnusable:
        Response.error(503, code: "database_unusable", "the database cannot be read now").retry(after: 5)
      case .failed where failure.code == "question_too_long": .questionTooLong
      case .done, .failed, .gateNotMet, .importedInPart, .interrupted:
        .error(500, code: "internal", "the question failed")
      }
  }
}
