internal import Console
internal import Query

extension JudgedStray {
  var concern: Concern { Concern.publication(stray, verdict) }
}

extension Concern {
  /// What devices take and is not registered as of then. Where it is to be stopped a line of its own says why.
  ///
  /// - Parameter verdict: of its own; nil where there is none.
  static func publication(_ stray: StrayPublication, _ verdict: Verdict? = nil) -> Concern {
    let words = "\(stray.app): \(stray.words(hasRow: verdict?.decision == .stop))"
    guard let verdict, verdict.decision != .stop else {
      return Concern(kind: .publication, message: words, command: stray.command, verdict: verdict)
    }
    let own = "its own verdict is \(verdict.decision.words): \(verdict.reasons[0].sentence)"
    return Concern(kind: .publication, message: "\(words); \(own)", command: stray.command, verdict: verdict)
  }
}
