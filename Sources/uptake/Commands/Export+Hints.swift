internal import Answers
internal import Server

extension Exporter.Tally {
  /// What becomes of what was not sent, and who has to do something about it.
  ///
  /// - Parameter refused: facts of the whole run.
  func hints(refused: Int) -> [String] {
    let waits = "what waits goes out with the next run: nothing of it is lost"
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
    let goesOn = "the next run goes on where this one stopped"
    return [isMisaddressed ? "\(mendFirst): then \(goesOn)" : goesOn]
  }
}

private let mendFirst = "the key or the address must be mended first"
