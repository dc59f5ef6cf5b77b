internal import Answers
internal import Console
internal import Lifecycle
internal import Query
internal import Store

/// A publication takes the place of the one before, steps and all: who means to add a step loses those that were taken.
extension Invocation {
  func slip(ofSteps publication: Publication, _ vocabulary: Vocabulary) -> String? {
    guard let before = vocabulary.registered(publication) else { return nil }
    let gone = before.stepsMissing(in: publication)
    if gone.isEmpty { return nil }
    let back = "to put them back: \(pasted(before.command))"
    if publication.rollout.isEmpty {
      return "this takes the place of its rollout steps (\(words(gone))): it came to everybody at once\n\(back)"
    }
    guard gone.contains(where: { $0.at <= instant }) else {
      return "planned steps are dropped: \(words(gone))\n\(back)"
    }
    guard gone.contains(where: { $0.percent > 0 }) else {
      return "this drops its halt (\(words(gone))), as if it had never been halted\n\(back)"
        + "\nand to open it again from now on: \(pasted(widening(publication)))"
    }
    return
      "this takes the place of its rollout steps (\(words(gone))): devices that had it by these now count from a later"
      + " step, or as never let have it\n\(back)\nand to go on from them: \(pasted(widening(publication)))"
  }

  private func widening(_ publication: Publication) -> ShellCommand {
    publication.widening(to: publication.rollout.last { $0.percent > 0 }?.percent ?? 100)
  }
}

extension Publication {
  /// Steps that another has neither at that time nor, where its own time is another, as long after it.
  fileprivate func stepsMissing(in other: Publication) -> [RolloutStep] {
    rollout.filter { step in
      !other.rollout.contains { kept in
        kept.percent == step.percent && (kept.at == step.at || kept.at - other.publishedAt == step.at - publishedAt)
      }
    }
  }
}
