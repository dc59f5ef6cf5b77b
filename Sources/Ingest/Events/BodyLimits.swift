/// What one request may hold. Bytes do not bound it: two of them make an event, and compressed there are a thousand in one.
public struct BodyLimits: Equatable, Sendable {
  /// Events in all. Half of what waits for the disk at most (`--queue`), so that one request cannot take the whole line.
  public var events = 100_000
  /// Events that are refused: whoever sends more speaks another language, or means harm.
  public var rejections = 10_000

  public init(events: Int = 100_000, rejections: Int = 10_000) {
    (self.events, self.rejections) = (events, rejections)
  }
}

/// Which limit a body passed.
public enum BodyExcess: Error, Equatable, Sendable {
  case events(limit: Int)
  /// `first`: why the first of them was refused.
  case rejections(limit: Int, first: String)

  public var code: String {
    switch self {
    case .events: "too_many_events"
    case .rejections: "too_many_rejected"
    }
  }

  public var message: String {
    switch self {
    case .events(let limit): "the body has more than \(limit) events; nothing was stored, send it in parts"
    case .rejections(let limit, let first):
      "more than \(limit) events of the body were refused; nothing was stored, mend it and send it again; the first: \(first)"
    }
  }
}
