internal import Answers
internal import Console
internal import HTTP
internal import Simulate

/// Turns the errors of other modules into failures with words, hint and exit code.
func explain(_ error: any Error) -> Failure? {
  switch error {
  case let error as ListenError:
    Failure(
      "cannot_listen", "cannot listen on \(error.address)", why: error.why, hints: [error.hint] + error.elsewhere,
      exit: error.isOfWords ? .usage : .failed)
  case let error as ScenarioProblem:
    Failure("bad_scenario", error.what, place: error.place, hints: [error.hint], exit: .usage)
  default: Failure(explaining: error)
  }
}

extension ListenError {
  /// No machine has such an address: it is mistyped.
  fileprivate var isOfWords: Bool { if case .badAddress = reason { true } else { false } }

  /// How to listen at another address, where that helps.
  fileprivate var elsewhere: [String] {
    switch reason {
    case .inUse, .notPermitted, .notHere, .badAddress: ["say where to listen with --listen ADDRESS"]
    case .badDescriptor, .tls, .system: []
    }
  }
}
