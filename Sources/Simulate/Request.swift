public import Lifecycle

/// What a client, or the push server, sends at once.
public struct Request: Sendable {
  public enum Sender: Equatable, Sendable {
    case device(id: String)
    case pushServer
  }

  public var sender: Sender
  /// When a server in the simulated world gets it.
  public var received: Timestamp
  /// The sender's own clock at that time, as `X-Uptake-Sent-At` carries it.
  public var sentAt: Timestamp
  public var events: Int
  /// One event a line, each line ended by a newline.
  public var body: ArraySlice<UInt8>
}
