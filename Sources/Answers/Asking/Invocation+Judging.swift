public import Console
public import Query

extension Invocation {
  /// What releases are judged by, of the options that the call lists.
  public func judging() throws -> Verdict.Options {
    try requireObjective()
    return try parameters.judging()
  }

  /// Refuses a time that is typed where no share is to be reached in it; the settings may hold a time alone.
  func requireObjective() throws(Failure) {
    guard lists(.objectiveWithin), case .flag? = settings.setting(.objectiveWithin)?.origin else { return }
    let share: [Option] = values(of: .objectiveShare).isEmpty ? [] : [.objectiveShare]
    try Option.requireObjective([.objectiveWithin], usual: share)
  }

  /// What the settings say of a time in which no share is to be reached; nil where they say none, or the one that holds anyway.
  public var idleObjective: String? {
    guard values(of: .objectiveShare).isEmpty, let within = settings.setting(.objectiveWithin),
      within.origin != .fallback, within.texts.last != Option.objectiveWithin.fallback
    else { return nil }
    return "objective.within is ignored: nothing says what share of devices should update in that time;"
      + " add objective.share"
  }
}

extension Option {
  /// Refuses a time without a share that is to be reached in it: nothing would be held against it, and no word would say so.
  ///
  /// - Parameters:
  ///   - sent: what whoever asks has said something about.
  ///   - usual: what holds beside that.
  public static func requireObjective(_ sent: [Option], usual: [Option] = []) throws(Failure) {
    let isTimed = sent.contains { $0.name == objectiveWithin.name }
    guard isTimed, !(sent + usual).contains(where: { $0.name == objectiveShare.name }) else { return }
    throw Failure(
      "no_objective", "nothing says what share of devices should have updated in that time", place: "--within",
      hints: ["say it with --objective 90%", "or in the configuration file: objective.share"], exit: .usage)
  }
}
