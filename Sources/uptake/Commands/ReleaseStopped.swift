internal import Answers
internal import Console
internal import Lifecycle
internal import Query
internal import Store

extension Invocation {
  /// What is to be known before more devices get a release that is to be stopped; nil where it is not, and where no verdict can be had,
  /// as on a database without events. A person decides: it is registered all the same.
  func stopWords(of publication: Publication) -> String? {
    guard let verdict = try? stop(of: publication) else { return nil }
    let ask = ShellCommand("uptake", "verdict").argument(verdict.release).option("app", publication.app)
      .option("channel", verdict.channel)
    return "the verdict of \(verdict.release) on \(publication.placeWords) is stop: \(verdict.reasons[0].sentence):"
      + " \(pasted(ask))"
  }

  private func stop(of publication: Publication) throws -> Verdict? {
    let snapshot = try self.snapshot()
    var scope = try FleetScope(
      snapshot.vocabulary, app: publication.app, release: publication.release, now: instant)
    scope.channels = [publication.channel]
    scope.platforms = [publication.platform].compactMap(\.self)
    return try Verdict.answer(snapshot, scope, parameters.judging()).data.first { $0.decision == .stop }
  }
}
