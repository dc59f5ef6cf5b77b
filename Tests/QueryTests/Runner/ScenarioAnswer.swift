import Foundation
import Lifecycle
import Query
import Store

/// What came of a question: its JSON, or the code of a refusal.
enum ScenarioAnswer: Equatable {
  case json(Data)
  case refused(code: String, message: String)

  init(_ answer: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    self = .json(try encoder.encode(answer))
  }

  /// nil where the answer is as expected; else what it is instead.
  func mismatch(_ expectation: Scenario.Expectation) throws -> String? {
    guard case .json(let data) = self else {
      guard case .refused(let code, _) = self, case .refuses(let wanted) = expectation.kind else {
        return "it is refused"
      }
      return code == wanted ? nil : "it is refused with \(code)"
    }
    let answer = try JSONSerialization.jsonObject(with: data)
    let codes = ((answer as? [String: Any])?["warnings"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
    switch expectation.kind {
    case .refuses: return "it is answered"
    case .warns(let code): return codes.contains(code) ? nil : "it warns of \(codes)"
    case .warnsNot(let code): return codes.contains(code) ? "it does" : nil
    case .value(let path, let wanted):
      do {
        return Expected(text: wanted).mismatch(try AnswerPath(text: path).value(in: answer)).map { "it is \($0)" }
      } catch AnswerPath.Failure.nothing(let place) {
        return "there is no \(place) in \(String(decoding: data, as: UTF8.self).prefix(3000))"
      }
    }
  }
}

/// A question as a scenario asks it, with the options that it takes.
struct ScenarioQuestion {
  let ask: Scenario.Ask
  let now: Timestamp
  let fleet: Fleet

  var line: ScenarioLine { ask.line }
  func text(_ key: String) -> String? { ask.options[key] }
  func texts(_ key: String) -> [String] { text(key)?.split(separator: ",").map(String.init) ?? [] }
  func number(_ key: String) throws -> Double? {
    try text(key).map { word in
      guard let number = Double(word) else { throw line.problem("\(key)=\(word) is no number") }
      return number
    }
  }
  func duration(_ key: String) throws -> Milliseconds? {
    try text(key).map { Milliseconds(rawValue: try line.duration($0)) }
  }
  func durations(_ key: String) throws -> [Milliseconds]? {
    text(key) == nil ? nil : try texts(key).map { Milliseconds(rawValue: try line.duration($0)) }
  }
  func word<Word: RawRepresentable & CaseIterable>(_ key: String, _: Word.Type) throws -> Word?
  where Word.RawValue == String {
    try text(key).map { try self.word($0) }
  }
  func words<Word: RawRepresentable & CaseIterable>(_ key: String, _: Word.Type) throws -> [Word]
  where Word.RawValue == String {
    try texts(key).map { try self.word($0) }
  }
  private func word<Word: RawRepresentable & CaseIterable>(_ text: String) throws -> Word
  where Word.RawValue == String {
    guard let word = Word(rawValue: text) else {
      throw line.problem("\"\(text)\" is not one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return word
  }

  func chosen(_ snapshot: borrowing Snapshot, release: Int = 0) throws -> ReleaseScope {
    guard ask.releases.indices.contains(release) else { throw line.problem("\(ask.question) needs a release") }
    let label = ReleaseLabel(rawValue: ask.releases[release])
    var chosen = try ReleaseScope(snapshot.vocabulary, app: text("app"), release: label, now: now)
    chosen.selection.channels = texts("channel")
    chosen.selection.platforms = texts("platform")
    chosen.selection.by = try words("by", Grouping.self)
    chosen.selection.estimand = try word("estimand", Estimand.self) ?? .speed
    chosen.selection.clock = try word("clock", Clock.self) ?? .own
    chosen.selection.censor = try word("censor", CensorRule.self) ?? .window
    chosen.selection.attribution = try word("attribution", Attribution.self) ?? .delivered
    if let window = try duration("window") { chosen.selection.reachWindow = window }
    if let level = try number("level") { chosen.selection.level = level }
    if let least = try number("minCell") { chosen.selection.minCell = Int(least) }
    chosen.selection.includesEmulators = text("emulators") == "true"
    try chosen.check(snapshot.vocabulary)
    return chosen
  }
}

extension Scenario {
  func answer(_ ask: Ask, _ fleet: Fleet) throws -> ScenarioAnswer {
    let after = try ask.options["now"].map { epoch + Milliseconds(rawValue: try ask.line.duration($0)) }
    guard let now = after ?? now else { throw ask.line.problem("no line says when now is: `now 5d`") }
    guard let question = ScenarioQuestion.all[ask.question] else {
      let known = ScenarioQuestion.all.keys.sorted().joined(separator: ", ")
      throw ask.line.problem("there is no question \"\(ask.question)\"; known: \(known)")
    }
    do {
      return try ScenarioAnswer(try question(ScenarioQuestion(ask: ask, now: now, fleet: fleet)))
    } catch let refusal as QuestionError {
      return .refused(code: refusal.code, message: refusal.message)
    }
  }
}
