/// Events that arrived together, with the strings they share.
public struct EventBatch: Sendable {
  public var events: [Event] = []
  public var contexts: [Context] = []
  /// Strings by `NameIndex`; the first stands for "none" and is never read.
  public var names: [String] = [""]
  /// When the server got them; nil for imports, whose time of receipt nobody knows.
  public var received: Timestamp?

  public init(received: Timestamp? = nil) { self.received = received }

  public func name(_ index: NameIndex) -> String? { index == .none ? nil : names[Int(index.rawValue)] }
}
