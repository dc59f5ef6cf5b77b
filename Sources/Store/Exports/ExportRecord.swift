public import Lifecycle

/// How far the telling of a fact has come.
public enum ExportOutcome: String, CaseIterable, Sendable {
  /// To be sent, for the first time or again.
  case waiting
  /// On its way. Found at a start, it is in doubt: the program ended before it knew the answer.
  case sending
  case sent
  /// The receiver will never take it.
  case refused
}

/// A fact that one receiver is, or was, to be told of.
public struct ExportRecord: Equatable, Sendable {
  /// Which receiver, without any secret.
  public var target: String
  public var id: String
  public var app: String
  public var release: String
  public var channel: String
  public var kind: String
  /// The verdict's word.
  public var word: String?
  public var at: Timestamp
  public var noticedAt: Timestamp
  /// The fact itself, as JSON.
  public var fact: String
  public var outcome = ExportOutcome.waiting
  public var attempts = 0
  /// Not before then.
  public var nextAt: Timestamp
  public var reason: String?
  /// When it was noticed or, once it was tried, when that began or ended last.
  public var changedAt: Timestamp

  public init(
    target: String, id: String, app: String, release: String, channel: String, kind: String, word: String?,
    at: Timestamp, noticedAt: Timestamp, fact: String
  ) {
    (self.target, self.id, self.app, self.release, self.channel) = (target, id, app, release, channel)
    (self.kind, self.word, self.at, self.noticedAt, self.fact) = (kind, word, at, noticedAt, fact)
    (nextAt, changedAt) = (noticedAt, noticedAt)
  }
}

/// What is known of a receiver.
public struct ExportStanding: Equatable, Sendable {
  public var target: String
  /// It asked for quiet until then.
  public var pausedUntil = Timestamp(rawValue: 0)
  public var sentAt: Timestamp?
  public var failedAt: Timestamp?
  /// Of the last failure.
  public var reason: String?
  public var waiting = 0
  public var sent = 0
  public var refused = 0
  /// When the oldest waiting fact was noticed.
  public var oldest: Timestamp?

  public init(target: String) { self.target = target }

  /// The newest attempt failed.
  public var isFailing: Bool {
    guard let failedAt else { return false }
    return sentAt.map { $0 < failedAt } ?? true
  }
}
