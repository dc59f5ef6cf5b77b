import CSimdjson
import Lifecycle

/// Every word that the native dialect knows, ready to be looked up.
///
/// Made once; its texts live as long as the program.
final class Vocabulary: Sendable {
  static let shared = Vocabulary()

  let fields = WordTable(fieldWords())
  let stageWords = StageWord.all
  let stages = WordTable(StageWord.all.enumerated().map { ($1.word, UInt16($0)) })
  let triggers = table(Trigger.self)
  let outcomes = table(Outcome.self)
  let appStates = table(AppState.self)
  let gatewayAnswers = WordTable(
    Outcome.allCases.enumerated().filter { $1 == .accepted || $1 == .rejected }.map { ($1.rawValue, UInt16($0)) })

  let trigger = Trigger.allCases
  let outcome = Outcome.allCases
  let appState = AppState.allCases

  /// The channel of an event that names none.
  let production = Text(constant: "production")
  /// By the place of the stage's word; empty for most.
  let impliedReasons = StageWord.all.map { $0.reason.map { Text(constant: $0) } ?? Fields.nothing }
}

private func fieldWords() -> [(word: String, value: UInt16)] {
  Field.allCases.flatMap { field in
    field.spellings.map { (word: $0, value: UInt16(field.rawValue)) }
      + field.aliases.map { (word: $0, value: UInt16(field.rawValue) | UInt16(CSJ_WEAK)) }
  } + [(word: "events", value: UInt16(CSJ_EVENTS))]
}

/// The words of a closed vocabulary by their place among all cases.
private func table<Word: RawRepresentable<String> & CaseIterable>(_: Word.Type) -> WordTable {
  WordTable(
    Word.allCases.enumerated().flatMap { place, word in spellings(of: word.rawValue).map { ($0, UInt16(place)) } })
}
