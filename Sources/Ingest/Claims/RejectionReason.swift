import CSimdjson
import Lifecycle

/// Why the event at hand is refused; words are only found for the refusals that are kept.
struct RejectionReason: Error {
  var code: RejectionCode
  var field: Field?
  var detail: Detail = .none

  enum Detail {
    case none
    case text(Text)
    case number(Int64)
    case found(csj_kind)
    case releaseOf(Stage)
    case outcomeOf(Stage, Text)
    case keyNames(String, Text)
    case importNames(String, Text)
    case noZone
    case undatedLine
    case epochSeconds(Int64)
    case epochFraction
    case epochBeyond
    case epochDigits(Text)
    case nanoseconds(String, Double)
  }

  init(code: RejectionCode, field: Field? = nil, detail: Detail = .none) {
    (self.code, self.field, self.detail) = (code, field, detail)
  }

  /// A value that is no text, or one that cannot be held.
  init(notText kind: csj_kind, _ field: Field) {
    self.init(code: kind == csj_unstorable ? .nulCharacter : .wrongType, field: field, detail: .found(kind))
  }

  /// What is wrong, with the value as it came and the remedy.
  var message: String {
    let name = field.map { "\($0)" } ?? ""
    switch code {
    case .unknownStage: return unknown("stage", StageWord.all.map(\.word), Stage.allCases.map(\.rawValue))
    case .unknownTrigger: return unknown("trigger", Trigger.allCases.map(\.rawValue))
    case .unknownOutcome: return unknownOutcome
    case .unknownAppState: return unknown("appState", AppState.allCases.map(\.rawValue))
    case .missingField: return missing(name)
    case .tooLong: return tooLong(name)
    case .nulCharacter: return "\"\(name)\" has the character U+0000, which no text may have; send it without"
    case .wrongType: return wrongType(name)
    case .outOfRange: return outOfRange(name)
    case .badTime: return badTime(name)
    case .wrongApp: return wrongApp
    default: return code.rawValue
    }
  }
}

extension RejectionReason {
  /// The same with the stage of the event, which decides about outcomes.
  func of(_ stage: Stage) -> RejectionReason {
    guard code == .unknownOutcome, case .text(let text) = detail else { return self }
    return RejectionReason(code: code, field: field, detail: .outcomeOf(stage, text))
  }

  private var unknownOutcome: String {
    guard case .outcomeOf(let stage, let text) = detail else {
      let permitted = field == .gateway ? Outcome.permitted(of: .pushSent) : Outcome.allCases
      return unknown("outcome", permitted.map(\.rawValue))
    }
    let permitted = Outcome.permitted(of: stage).map(\.rawValue)
    let of = permitted.count < Outcome.allCases.count ? " of \"\(stage.rawValue)\"" : ""
    return unknown("outcome", permitted, text: text, of: of)
  }

  /// A near word of any spelling is suggested by its canonical name.
  private func unknown(_ what: String, _ words: [String], _ permitted: [String]? = nil) -> String {
    guard case .text(let text) = detail else {
      return "the gateway's answer says neither accepted nor rejected; docs/clients/push.md lists what is understood"
    }
    return unknown(what, words, permitted, text: text)
  }

  private func unknown(
    _ what: String, _ words: [String], _ permitted: [String]? = nil, text: Text, of whose: String = ""
  ) -> String {
    let near = meant(by: text.string, among: words)
    let hint = near.map { "; did you mean \"\($0)\"?" } ?? "."
    return "unknown \(what) \(quoted(text))\(whose)\(hint) Permitted: \((permitted ?? words).joined(separator: ", "))"
  }

  /// The word that was meant: one of the same meaning, else the nearest.
  private func meant(by word: String, among words: [String]) -> String? {
    if let synonym = field.flatMap({ Synonym.find(word, for: $0) }), words.contains(synonym) { return synonym }
    return suggestion(for: word, among: words).map(canonical)
  }

  private func canonical(_ word: String) -> String {
    guard code == .unknownStage else { return word }
    return StageWord.all.first { $0.word == word }?.stage.rawValue ?? word
  }

  private func missing(_ name: String) -> String {
    switch detail {
    case .releaseOf(let stage): "an event \"\(stage.rawValue)\" needs \"release\": the release that it is about"
    default:
      field == .app
        ? "\"app\" is missing, and no key, nor --app of an import, names a single one"
        : "\"\(name)\" is missing or empty"
    }
  }

  private func tooLong(_ name: String) -> String {
    guard case .text(let text) = detail, let field else { return "\"\(name)\" is too long" }
    return "\"\(name)\" has \(text.count) bytes; at most \(field.limit) are permitted"
  }

  private func wrongType(_ name: String) -> String {
    guard case .found(let kind) = detail, let field else { return "\"\(name)\" has the wrong type" }
    return "\"\(name)\" must be \(field.kind.article), not \(kind.article)"
  }

  private func outOfRange(_ name: String) -> String {
    let range = field == .bucket ? "from 0 to 99" : "from 0 to 9223372036854775806"
    guard case .number(let number) = detail else { return "\"\(name)\" must be an integer \(range)" }
    return "\"\(name)\" is \(number); it must be an integer \(range)"
  }

  private func badTime(_ name: String) -> String {
    let remedy = "send RFC 3339 like 2024-03-04T08:00:00Z or epoch milliseconds"
    switch detail {
    case .nanoseconds(let field, let number):
      let years = number < 0x1p62 ? "before the year 2000" : "after the year 9999"
      let shown = Int64(exactly: number.rounded()).map { "\($0)" } ?? "\(number)"
      return "\"\(field)\" is \(shown), \(years); send nanoseconds since 1970"
    case .noZone: return "\"\(name)\" has no zone; append Z for UTC or an offset like +02:00"
    case .undatedLine:
      return "the line says no time that can be read; log RFC 3339 with its zone (nginx: $time_iso8601), or seconds"
        + " since 1970 ($msec)"
    case .epochSeconds(let number):
      return "\"\(name)\" is \(number), before the year 2000: epoch seconds? Send milliseconds"
    case .number(let number) where number < Timestamp.permitted.lowerBound.rawValue:
      return "\"\(name)\" is \(number), before the year 2000; \(remedy)"
    case .number(let number):
      return "\"\(name)\" is \(number), after the year 9999: epoch microseconds? Send milliseconds"
    case .epochBeyond: return "\"\(name)\" is a number beyond the years 2000 to 9999; \(remedy)"
    case .epochFraction: return "\"\(name)\" is not a whole number of milliseconds; \(remedy)"
    case .epochDigits(let text): return "\"\(name)\" is the text \(quoted(text)); send epoch milliseconds as a number"
    case .text(let text): return "\"\(name)\" is \(quoted(text)), which is no time; \(remedy)"
    default: return "\"\(name)\" is no time; \(remedy)"
    }
  }

  private var wrongApp: String {
    switch detail {
    case .keyNames(let app, let text): "the key is for the app \"\(app)\", the event says \(quoted(text))"
    case .importNames(let app, let text):
      "--app (UPTAKE_APP) says \"\(app)\", the event \(quoted(text)); leave it out to take the events' own"
    default: "the key is another app's"
    }
  }
}

/// At most 40 bytes of what the client sent, its control characters made visible.
func quoted(_ text: Text) -> String {
  let shown = String(decoding: text.bytes.prefix(40), as: UTF8.self).unicodeScalars.map { scalar in
    scalar.value < 0x20 || scalar.value == 0x7F || scalar == "\"" ? scalar.escaped(asASCII: true) : String(scalar)
  }
  return "\"\(shown.joined())\(text.count > 40 ? "…" : "")\""
}

extension Field.Kind {
  fileprivate var article: String {
    switch self {
    case .text, .word: "a string"
    case .integer: "an integer"
    case .boolean: "true or false"
    case .time: "a time (RFC 3339 or epoch milliseconds)"
    case .object: "an object"
    }
  }
}

extension csj_kind {
  fileprivate var article: String {
    switch self {
    case csj_string, csj_unstorable: "a string"
    case csj_integer, csj_big: "an integer"
    case csj_decimal: "a number with a fraction"
    case csj_boolean: "true or false"
    case csj_object: "an object"
    default: "an array"
    }
  }
}
