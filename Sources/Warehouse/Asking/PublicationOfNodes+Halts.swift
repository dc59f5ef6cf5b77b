import Lifecycle

extension PublicationOfNodes.Copy {
  /// So much lies between what one job does at one node and at the next, by their clocks.
  private static let atOnce = Milliseconds.minutes(5)

  /// When it was halted; nil where that is only planned.
  var halt: Timestamp? {
    publication?.rollout.haltedAt.flatMap { hadCome($0) ? $0 : nil }
  }

  /// Whether it has that halt, or a later one that came; what was taken back on purpose was not halted any more.
  func knows(haltAt halt: Timestamp) -> Bool {
    guard let publication else { return true }
    return publication.rollout.contains { $0.percent == 0 && halt - Self.atOnce < $0.at && hadCome($0.at) }
  }

  /// Before the node changed it last; what it has from long ago came long ago.
  private func hadCome(_ step: Timestamp) -> Bool {
    changedAt.map { $0 == .never || step < $0 + Self.atOnce } ?? true
  }

  func isAlike(_ other: Self) -> Bool {
    guard let publication, let another = other.publication else { return publication == other.publication }
    let (steps, others) = (publication.rollout, another.rollout)
    return publication.mandatory == another.mandatory && steps.map(\.percent) == others.map(\.percent)
      && Self.isAtOnce(publication.publishedAt, another.publishedAt)
      && zip(steps, others).allSatisfy { Self.isAtOnce($0.at, $1.at) }
  }

  private static func isAtOnce(_ one: Timestamp, _ other: Timestamp) -> Bool {
    max(one, other) - min(one, other) < atOnce
  }
}
