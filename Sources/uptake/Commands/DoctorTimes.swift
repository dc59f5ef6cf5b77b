internal import Lifecycle
internal import Query
internal import Store

extension Finding {
  /// With times on which many devices agree, where what names a publication's time is a clock that is far behind all others.
  func agreeing(_ path: String, until now: Timestamp) -> Finding {
    guard fix?.parts.contains(where: { $0.publication != nil }) == true, let snapshot = try? Snapshot(path: path)
    else { return self }
    var finding = self
    finding.fix?.parts = (fix?.parts ?? []).map { $0.agreeing(snapshot, until: now) }
    return finding
  }
}

extension Remedy.Part {
  /// That a command would register; of its time nothing is said.
  fileprivate var publication: Publication? {
    guard case .command(let command) = self, command.words == ["release", "publish"],
      let label = command.arguments.first
    else { return nil }
    func value(_ name: String) -> String? { command.options.first { $0.name == name }.flatMap(\.value) }
    guard let app = value("app"), let channel = value("channel") else { return nil }
    return Publication(
      app: app, release: ReleaseLabel(rawValue: label), channel: channel, platform: value("platform"),
      publishedAt: Timestamp(rawValue: 0))
  }

  fileprivate func agreeing(_ snapshot: borrowing Snapshot, until now: Timestamp) -> Self {
    guard let publication, let spoken = try? snapshot.spokenTimes(of: publication, until: now), spoken.haveSlowClocks,
      let begin = spoken.begin, case .command(var command) = self,
      let time = command.options.firstIndex(where: { $0.name == "at" })
    else { return self }
    command.options[time].value = begin.rfc3339
    return .command(command)
  }
}
