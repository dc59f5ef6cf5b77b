public import Lifecycle

/// An event as a dialect understood it: what the client said in our words, before the contract's checks.
public struct Draft: Equatable, Sendable {
  public var stage: Stage
  public var device: String
  /// nil where the client does not say; the request may say it then, else it is unknown.
  public var trigger: Trigger?
  /// nil where the client has no clock: the time of receipt stands in, an upper bound.
  public var at: Timestamp?
  /// What the client calls the app. A key's app goes before it.
  public var app: String?
  public var channel: String?
  public var release: String?
  public var from: String?
  public var id: String?
  public var platform: String?
  public var osVersion: String?
  public var appVersion: String?
  public var sdkVersion: String?
  public var network: String?
  public var arm: String?
  public var region: String?
  public var deviceModel: String?
  public var tags: [String: String] = [:]
  public var reason: String?
  public var push: String?
  public var outcome: Outcome?
  public var durationMs: Int64?
  public var bytes: Int64?
  public var bucket: Int64?
  public var emulator: Bool?
  public var appState: AppState?
  public var appIsStarting: Bool?
  /// Whether a push gateway's answer says neither that it took the push nor that it did not: the contract refuses it.
  public var isUnclear = false
  /// Whether a line of a file says no time that can be read: its receipt is when the file was read, and stands in for nothing.
  var isUndated = false
  /// What it says in place of a trigger that anybody knows.
  private(set) var unknownTrigger: String?
  /// What its dialect found wrong: the contract refuses it, in the client's own terms.
  var fault: Fault?
  /// Whether the client is certain of its app, so that it must not be taken for the key's.
  var isAppCertain = false
  /// Which item of the request it came from, for protocols that answer item by item.
  public var item = 0
  enum Fault: Equatable, Sendable {
    /// It names a stage, and nobody knows that one.
    case stage(String)
    /// It came with a key of this app, and is certain that it is another's.
    case keyOf(String)
    /// A field of nanoseconds since 1970, and what it says.
    case nanoseconds(field: String, Double)
  }

  /// In the place of an item's number: the request as a whole said it.
  static let ofNoItem = -1

  public init(_ stage: Stage, device: String, release: String? = nil, at: Timestamp? = nil) {
    self.stage = stage
    self.device = device
    self.release = release
    self.at = at
  }
}

extension Draft {
  /// Takes a client's own word for the trigger.
  mutating func say(trigger word: String) {
    trigger = Trigger(loosely: word)
    unknownTrigger = Trigger(anyWord: word) == nil ? word : nil
  }

  /// What a client with a clock of its own means, however it counts: seconds, milliseconds, micro- or nanoseconds; 0 is
  /// unknown. What nobody can mean is refused with the event, like in any other.
  static func time(epoch number: Double) -> Timestamp? {
    guard number.isFinite, number != 0 else { return nil }
    let milliseconds =
      switch number {
      case ..<1e11: number * 1000
      case ..<1e14: number
      case ..<1e17: number / 1000
      default: number / 1e6
      }
    return Timestamp(milliseconds: milliseconds)
  }

  /// Nanoseconds since 1970, where the protocol says that they are; 0 is unknown.
  static func time(nanoseconds: Double) -> Timestamp? {
    nanoseconds.isFinite && nanoseconds != 0 ? Timestamp(milliseconds: nanoseconds / 1e6) : nil
  }

  /// RFC 3339, or a number since 1970.
  static func time(_ value: JSONValue?) -> Timestamp? {
    guard let value else { return nil }
    if case .string(let text) = value, let instant = try? Timestamp(rfc3339: text) { return instant }
    return value.number.flatMap(time(epoch:))
  }

  /// How a release is called that came with the app from its store: `store:` and the app's own version.
  static func storeBuild(_ version: String?) -> String? { version.map { ReleaseLabel.storePrefix + $0 } }
}

extension Timestamp {
  /// To the nearest millisecond, and no further from 1970 than 64 bits reach.
  fileprivate init(milliseconds: Double) {
    self.init(rawValue: Int64(exactly: milliseconds.rounded()) ?? (milliseconds < 0 ? .min : .max))
  }
}
