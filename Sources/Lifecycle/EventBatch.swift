/// Events that arrived together, with the strings they share.
public struct EventBatch: Sendable {
  public var events: [Event] = []
  public var contexts: [Context] = []
  /// Strings by `NameIndex`; the first stands for "none" and is never read.
  public var names: [String] = [""]
  /// When the server got them; nil for imports, whose time of receipt nobody knows.
  public var received: Timestamp?
  /// One time of receipt per event where they differ (imports whose lines say it); else empty.
  public var receivedEach: [Timestamp?] = []

  public init(received: Timestamp? = nil) { self.received = received }

  /// When the server got the event at `index`; nil where nobody knows.
  public func received(at index: Int) -> Timestamp? { receivedEach.isEmpty ? received : receivedEach[index] }
}
