extension EventMap {
  /// What is wrong with a word that the map itself puts into a field of a closed vocabulary, and its remedy; nil where
  /// nothing is.
  public static func problem(of word: String, in field: String) -> String? {
    guard let table = tables.first(where: { "\($0.field)" == field }) else { return nil }
    return withText(word) { text in
      table.words.find(text) == nil
        ? RejectionReason(code: table.code, field: table.field, detail: .text(text)).message : nil
    }
  }

  private static var tables: [(field: Field, words: WordTable, code: RejectionCode)] {
    let vocabulary = Vocabulary.shared
    return [
      (.stage, vocabulary.stages, .unknownStage), (.trigger, vocabulary.triggers, .unknownTrigger),
      (.outcome, vocabulary.outcomes, .unknownOutcome), (.appState, vocabulary.appStates, .unknownAppState),
    ]
  }

  /// Whether a field is an instant, or a number: what `time` and `scale` are for.
  public static func isTime(_ field: String) -> Bool { kind(field) == .time }
  public static func isNumber(_ field: String) -> Bool { kind(field) == .integer }

  private static func kind(_ field: String) -> Field.Kind? { Field.allCases.first { "\($0)" == field }?.kind }
}
