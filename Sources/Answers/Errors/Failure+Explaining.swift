public import Console
internal import Query
internal import Store

extension Failure {
  /// The errors of the modules that answers are made of, with words, hint and exit code; nil for others.
  public init?(explaining error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as StoreError:
      self.init(error.code, error.description, hints: [error.hint.words], exit: error.exit)
    case let refusal as QuestionError:
      self.init(refusal.code, refusal.message, hints: [refusal.hint.words], exit: refusal.exit)
    default: return nil
    }
  }
}
