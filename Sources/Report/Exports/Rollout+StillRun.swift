internal import Console
internal import Lifecycle
internal import Query

/// Bad releases that devices still run, as others are told of them.
extension Rollout {
  /// The release itself where it is halted or to be stopped, then others. That a newer one took its place is said of none: where it did
  /// harm, what is told of the newer one has it.
  var stillRun: [Verdict.StillRun] {
    let own = verdict?.stillRun.flatMap { $0.fault == .replaced ? nil : $0 }
    return [own].compactMap(\.self) + (verdict?.othersStillRun ?? [])
  }

  var haltOnDevices: Verdict.StillRun? { verdict?.stillRun.flatMap { $0.fault == .halted ? $0 : nil } }

  func sentence(_ one: Verdict.StillRun) -> String { one.sentence.capitalizedFirst(butFor: standing.platforms) }

  /// Where the verdict is not about it, and what opens by itself though it is to be stopped.
  var haltsAndSteps: [String] {
    standing.verdict.warnings.filter { [Warning.haltedApart, Warning.stepAhead].contains($0.code) }.map(\.message)
  }

  /// A verdict that stays says nothing again, and a halt takes a release from nobody: where devices hardly leave it a chat is told so
  /// a day and a week after the halt, and no more. nil where it was told of none, and where the day was before `since`.
  func reminder(_ told: RolloutTold, since: Timestamp) -> RolloutFact? {
    guard told.verdict != nil, let halt = haltOnDevices, let halted = halt.since, let running = halt.running,
      running >= SpokenTimes.fewest, running * Self.fewOf >= halt.launched,
      let age = Self.reminders.last(where: { halted + $0 <= now }), halted + age >= since
    else { return nil }
    return fact(
      .halted, .warning, at: now, detail: "still run \(halted.rawValue) \(age.rawValue)",
      title:
        "\(release) on \(channel): \(counted(running)) \(isHeardOf(halt) ? "still run it" : "ran it when last heard of")",
      text: """
        \(sentence(halt))
        A halt takes it from no device: they leave it with the next release that they take.
        Verdict: \(verdictWord)
        """,
      percent: Self.percent(standing.facts, at: now), story: story)
  }

  /// What devices run that were silent for so long nobody knows.
  private func isHeardOf(_ halt: Verdict.StillRun) -> Bool {
    halt.at >= halt.since ?? halt.at && now - halt.at <= Verdict.stalest
  }

  private static let reminders = [Milliseconds.days(1), .days(7)]
  /// One in so many of those that launched it, or more.
  private static let fewOf = 10

  private func counted(_ devices: Int) -> String { "\(grouped(devices)) \(devices == 1 ? "device" : "devices")" }
}
