internal import Console
public import Lifecycle
internal import Store

/// A publication takes the place of the one before, steps and all: who means to add a step loses those that were taken.
extension PublicationDraft {
  var steps: PublicationSlip? {
    guard let before else { return nil }
    let gone = before.stepsMissing(in: publication)
    guard !gone.isEmpty else { return nil }
    return .init(.stepsDropped, stepsWords(stepWords(gone), gone, before))
  }

  private func stepsWords(_ words: String, _ gone: [RolloutStep], _ before: Publication) -> SlipWords {
    if publication.rollout.isEmpty {
      return """
        this takes the place of its rollout steps (\(words)): it came to everybody at once
        to put them back: \(.register(before))
        """
    }
    guard gone.contains(where: { $0.at <= now }) else {
      return "planned steps are dropped: \(words)\nto put them back: \(.register(before))"
    }
    guard gone.contains(where: { $0.percent > 0 }) else {
      return """
        this drops its halt (\(words)), as if it had never been halted
        to put them back: \(.register(before))
        and to open it again from now on: \(.widen(publication))
        """
    }
    let lost = "devices that had it by these now count from a later step, or as never let have it"
    // Who halted it does not want it to go on.
    if isHalted(before) {
      return "this takes the place of its rollout steps (\(words)): \(lost)\nto put them back: \(.register(before))"
    }
    return """
      this takes the place of its rollout steps (\(words)): \(lost)
      to put them back: \(.register(before))
      and to go on from them: \(.widen(publication))
      """
  }

  private func isHalted(_ before: Publication) -> Bool { before.rollout.haltedAt.map { $0 <= now } ?? false }

  /// A job that publishes runs again, with steps of its own, after somebody halted the release.
  var restart: PublicationSlip? {
    guard let before, isHalted(before), let halt = before.rollout.haltedAt, publication.rollout.haltedAt == nil,
      before.stepsMissing(in: publication).contains(where: { $0.percent > 0 })
    else { return nil }
    return .init(
      .opensAgain,
      """
      it was halted at \(halt.words), and this opens it again, as if it had never been halted
      to halt it as before: \(.register(before))
      """)
  }

  /// One more step behind a halt, as by a pipeline that does not know of it.
  var reopening: PublicationSlip? {
    guard let before, let halt = before.rollout.haltedAt, halt <= now,
      publication.rollout.contains(where: { $0.at == halt && $0.percent == 0 }),
      let opening = publication.rollout.first(where: { $0.at > halt && $0.percent > 0 })
    else { return nil }
    return .init(
      .opensAgain,
      """
      it was halted at \(halt.words), and the step to \(percentWords(opening.percent))% at \(opening.at.words) opens it again
      to halt it as before: \(.register(before))
      """)
  }

  /// It was for everybody at once, and is not before a step that comes later: as where a halt is all that is sent.
  var lateStep: PublicationSlip? {
    guard let before, before.rollout.isEmpty, let first = publication.rollout.first, before.publishedAt < first.at,
      publication.publishedAt < first.at
    else { return nil }
    return .init(
      .firstStepLate,
      """
      it was for everybody from \(before.publishedAt.words) on, and its first step comes only at \(first.at.words): devices that had it \
      before count as never let have it
      to keep what was: \(.register(publication.openFromTheBeginning))
      """)
  }

  /// A share of 0.1 where a tenth is meant.
  var fraction: PublicationSlip? {
    guard let odd = publication.rollout.map(\.percent).first(where: { $0 > 0 && $0 < 1 }) else { return nil }
    let (said, meant) = ("\(odd)%", "\(percentWords((odd * 1000).rounded() / 10))%")
    let devices = grouped(Int((100 / max(odd, 1e-9)).rounded()))
    return .init(
      .percentBelowOne,
      "a step to \(said) lets 1 of \(devices) devices have it; shares go up to 100, so if \(meant) was meant, say that")
  }
}

extension PublicationDraft {
  /// A smaller share behind a larger one, where the hours of two steps were swapped: it takes the release from nobody. A share of 0
  /// is a halt, behind which any share opens it again.
  var fall: PublicationSlip? {
    var widest = 0.0
    for step in publication.rollout {
      if step.percent > 0, step.percent < widest { return .init(.sharesFall, fallWords(step, widest)) }
      widest = step.percent == 0 ? 0 : max(widest, step.percent)
    }
    return nil
  }

  private func fallWords(_ step: RolloutStep, _ widest: Double) -> SlipWords {
    """
    the share falls from \(percentWords(widest))% to \(percentWords(step.percent))% at \(step.at.words): that takes it from no device \
    that was let have it before, so if two steps were swapped, register it again with them in order; what ends a rollout is a halt: \
    \(.halt(publication))
    """
  }
}

extension Publication {
  fileprivate var openFromTheBeginning: Publication {
    var copy = self
    copy.rollout.insert(RolloutStep(at: publishedAt, percent: 100), at: 0)
    return copy
  }

  /// Steps that another has neither at that time nor, where its own time is another, as long after it.
  fileprivate func stepsMissing(in other: Publication) -> [RolloutStep] {
    rollout.filter { step in
      !other.rollout.contains { kept in
        kept.percent == step.percent && (kept.at == step.at || kept.at - other.publishedAt == step.at - publishedAt)
      }
    }
  }
}

extension PublicationSlip {
  /// Nothing was said of its steps, and the last one that is registered is a halt.
  public static func haltKept(of publication: Publication) -> PublicationSlip {
    PublicationSlip(
      .haltKept,
      """
      it is halted (\(stepWords(Array(publication.rollout.suffix(1))))), and stays so, as nothing is said of its rollout
      to open it again from now on: \(.widen(publication))
      """)
  }
}
