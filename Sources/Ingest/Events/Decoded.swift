public import Lifecycle

/// What a body held: valid events, and for everything else the reason why not.
public struct Decoded: Sendable {
  public var batch: EventBatch
  /// The first refusals, as many as the decoder keeps; `rejected` counts all.
  public var rejections: [Rejection] = []
  public var rejected = RejectionTally()
  /// Fields that no word of the vocabulary names: ignored, never an error.
  public var ignoredFields = 0
  /// The first names of such fields, each once: a slip among them is one that nobody else would tell of.
  public var ignoredNames: [String] = []
  /// Rows of an export that its map passes over.
  public var skipped = 0
  /// Events whose time lay more than a day ahead of their receipt and was set back to it.
  public var clockAhead = 0
  /// Whether some event has fields of Swiftpatch's own shapes, which are to be put into the contract's words first.
  var hasForeignShapes = false
  /// Whether there was nothing in the body at all.
  public var isEmpty = false
  /// Whether something after the last event could not be read: a broken or truncated body.
  public var isBroken = false
  /// What there was too much of; nothing of the body is taken then, and the rest of it was not read.
  public var excess: BodyExcess?

  public init(batch: EventBatch) { self.batch = batch }
}

/// What the receiver of a body knows about it.
public struct Reception: Sendable {
  /// The app that the sender's key names; events may leave `app` out then, and no other is taken.
  public var app: String?
  /// When the body came in; nil for imports, whose events may carry `received`.
  public var received: Timestamp?
  /// The receiver's clock: stands in for the time of receipt where that is not known.
  public var now: Timestamp
  /// When the client says it sent the body (`X-Uptake-Sent-At`); a `sentAt` in the body wins.
  public var sentAt: Timestamp?
  /// What started the work, for events that do not say it (`X-Uptake-Trigger`, `?trigger=`).
  public var trigger = Trigger.unknown
  /// What else holds for events that do not say it.
  public var asides = Asides()
  /// What devices named last; nil where nobody remembers it.
  public var named: NamedReleases?
  /// Whether the events may say when they were received: true for imports, never for clients.
  public var trustsReceived: Bool
  /// What a body may hold; nil for files, which are read part by part.
  public var limits: BodyLimits?

  /// A body that a client sent just now.
  public static func request(
    app: String?, received: Timestamp, sentAt: Timestamp? = nil, trigger: Trigger = .unknown, asides: Asides = Asides(),
    named: NamedReleases? = nil
  ) -> Self {
    Self(
      app: app, received: received, now: received, sentAt: sentAt, trigger: asides.trigger ?? trigger, asides: asides,
      named: named, trustsReceived: false, limits: BodyLimits())
  }

  /// A part of a file, whose events were received some time before `now`.
  public static func file(app: String?, now: Timestamp) -> Self {
    Self(app: app, received: nil, now: now, sentAt: nil, trustsReceived: true, limits: nil)
  }
}

/// How the values of a body are laid out.
public enum BodyFormat: Sendable {
  /// One JSON object, an array of them, or an object with `events`; also NDJSON that does not say so.
  case json
  /// One JSON object a line.
  case ndjson
}
