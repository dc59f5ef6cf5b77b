internal import Console

/// Turns the errors of other modules into failures with words, hint and exit code. One `case` for each type:
///
///     case let error as StoreError: Failure("db_missing", "…", hints: ["…"], exit: .databaseUnusable)
func explain(_ error: any Error) -> Failure? {
  switch error {
  default: nil
  }
}
