internal import Answers
internal import Console
internal import Lifecycle
internal import Query
internal import Report
internal import Server
internal import Store

extension Invocation {
  func noteStrangeChannels(_ choice: RolloutChoice) throws {
    guard !choice.channels.isEmpty else { return }
    let (strange, known) = choice.strangeChannels(try snapshot().vocabulary)
    let names = known.isEmpty ? "none yet" : known.map(quoted).joined(separator: ", ")
    try note(
      strange.map {
        "warning: nothing was ever on channel \(quoted($0)), so nothing is told of it; known channels: \(names)"
      })
  }
}

extension Invocation {
  /// Of these a run tells nothing, which looks as if nothing had happened.
  func noteKindsInVain(_ target: ExportTarget, _ wanted: Set<RolloutFact.Kind>) throws {
    guard let words = target.inVain(wanted) else { return }
    guard wanted.isDisjoint(with: target.kinds) else { return try note(["warning: --only: \(words)"]) }
    throw Failure(
      "unused_option", words, place: "--only", hints: ["leave --only away, or name what it is told of"], exit: .usage)
  }
}

extension Exporter.Tally {
  /// What becomes of what was not sent, and who has to do something about it.
  ///
  /// - Parameter refused: facts of the whole run.
  func hints(refused: Int) -> [String] {
    let run = quiet == nil ? "the next run" : nextRun(nextAt)
    let waits = "what waits goes out with \(run): nothing of it is lost"
    return [
      refused == 0 ? nil : "\(counted(refused, "fact")) refused for good: the next run does not send what was refused",
      waiting == 0 ? nil : isMisaddressed ? "\(mendFirst): then \(waits)" : waits,
    ].compactMap(\.self)
  }
}

extension EventShipment.Tally {
  var hints: [String] {
    if reason == nil {
      return ["events that are refused one by one are passed over: the next run does not send them again"]
    }
    let goesOn = "\(nextRun(nextAt)) goes on where this one stopped"
    return [isMisaddressed ? "\(mendFirst): then \(goesOn)" : goesOn]
  }
}

/// - Parameter quietUntil: before which no request is made, whoever runs it.
private func nextRun(_ quietUntil: Timestamp?) -> String {
  quietUntil.map { "the next run after \($0.rfc3339)" } ?? "the next run"
}

private let mendFirst = "the key or the address must be mended first"
