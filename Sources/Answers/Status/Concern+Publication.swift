internal import Console
internal import Lifecycle
internal import Query
internal import Store

/// A release that devices take and that is not registered as of then, with the verdict of its own: that of its channel is about another
/// release.
struct JudgedStray: Sendable {
  let stray: StrayPublication
  /// nil of what was withdrawn: it is to go on nowhere.
  let verdict: Verdict?

  /// Costs a verdict.
  init(_ stray: StrayPublication, _ snapshot: borrowing Snapshot, _ judging: Verdict.Options, now: Timestamp) throws {
    self.stray = stray
    if case .withdrawn = stray.fault {
      verdict = nil
      return
    }
    let vocabulary = stray.lacking.map(snapshot.vocabulary.registering) ?? snapshot.vocabulary
    var scope = try FleetScope(vocabulary, app: stray.app, release: stray.release, now: now)
    (scope.channels, scope.platforms) = ([stray.channel], [stray.platform].compactMap(\.self))
    let rows = try snapshot.ask(Verdict.Question(vocabulary, scope, judging)).data
    verdict = rows.first { $0.decision == .stop } ?? rows.first
  }

  var isStopped: Bool { verdict?.decision == .stop }

  var concern: Concern { Concern.publication(stray, verdict) }
}

extension Concern {
  /// What devices take and no verdict is about.
  ///
  /// - Parameter verdict: of its own; nil where there is none.
  static func publication(_ stray: StrayPublication, _ verdict: Verdict? = nil) -> Concern {
    let app = stray.app
    guard let verdict else {
      return Concern(kind: .publication, message: "\(app): \(stray.words)", command: stray.command)
    }
    let (own, why) = ("\(harmless(verdict.release)) on \(stray.place)", verdict.reasons[0].sentence)
    let words =
      verdict.decision == .stop
      ? "\(app): stop \(own): \(why); \(stray.words)"
      : "\(app): \(stray.words); its own verdict is \(verdict.decision.words): \(why)"
    return Concern(kind: .publication, message: words, command: stray.command, verdict: verdict)
  }
}
