internal import Console
public import Lifecycle

extension ArmRule {
  /// Reads arms that somebody typed, and says what is wrong with them.
  public init(reading text: String, of experiment: String = "") throws {
    guard let rule = ArmRule(experiment, arms: text) else {
      throw Failure(
        "bad_value", "\"\(text)\" names no arms", place: "--arms",
        hints: ["write names and per cents, at most 100 together: holdout:5,push:95"], exit: .usage)
    }
    self = rule
  }
}
