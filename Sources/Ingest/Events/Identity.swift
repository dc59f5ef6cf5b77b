import CSodium
public import Lifecycle
public import Store

/// The keyed hashes that stand for ids: SipHash-2-4 of a message that begins with what kind of thing it names.
struct IdentityHasher {
  private enum Kind: UInt8 { case device = 1, event, content, sighting, push }

  private let deviceKey: UnsafeMutablePointer<UInt8>
  private let eventKey: UnsafeMutablePointer<UInt8>
  private let message: UnsafeMutablePointer<UInt8>
  private let output: UnsafeMutablePointer<UInt8>
  private var count = 0

  /// Longer than all fields of an event at their longest.
  static let capacity = 8192

  init(_ keys: IdentityKeys) {
    _ = sodium_init()
    deviceKey = .allocate(capacity: 16)
    deviceKey.initialize(from: keys.device, count: 16)
    eventKey = .allocate(capacity: 16)
    eventKey.initialize(from: keys.event, count: 16)
    message = .allocate(capacity: Self.capacity)
    output = .allocate(capacity: 8)
  }

  func deallocate() {
    deviceKey.deallocate()
    eventKey.deallocate()
    message.deallocate()
    output.deallocate()
  }

  mutating func device(app: Text, id: Text) -> DeviceHash {
    begin(.device)
    put(app)
    put(id)
    return DeviceHash(rawValue: hash(deviceKey))
  }

  mutating func push(app: Text, id: Text) -> UInt64 {
    begin(.push)
    put(app)
    put(id)
    return max(1, hash(eventKey))
  }

  mutating func event(app: Text, id: Text) -> UInt64 {
    begin(.event)
    put(app)
    put(id)
    return hash(eventKey)
  }

  /// The identity of an event without id: everything that its client sent, put by `content`.
  ///
  /// An event that says no time either is one with the same event of the same ten minutes: a resend is recognised, a
  /// later sign of life counts anew.
  mutating func event(app: Text, receivedIfUndated received: Timestamp?, content: (inout Self) -> Void) -> UInt64 {
    begin(received == nil ? .content : .sighting)
    put(app)
    if let received { put(0xFF, received.rawValue / Milliseconds.minutes(10).rawValue) }
    content(&self)
    return hash(eventKey)
  }

  private mutating func begin(_ kind: Kind) {
    message[0] = kind.rawValue
    count = 1
  }

  private mutating func put(_ text: Text) {
    message[count] = UInt8(truncatingIfNeeded: text.count)
    message[count + 1] = UInt8(truncatingIfNeeded: text.count >> 8)
    (message + count + 2).update(from: text.start, count: text.count)
    count += 2 + text.count
  }

  mutating func put(_ tag: UInt8, _ text: Text) {
    message[count] = tag
    count += 1
    put(text)
  }

  mutating func put(_ tag: UInt8, _ number: Int64) {
    message[count] = tag
    UnsafeMutableRawPointer(message + count + 1).storeBytes(of: number.littleEndian, as: Int64.self)
    count += 9
  }

  private func hash(_ key: UnsafePointer<UInt8>) -> UInt64 {
    crypto_shorthash(output, message, UInt64(count), key)
    return UInt64(littleEndian: UnsafeRawPointer(output).load(as: UInt64.self))
  }
}

extension IdentityKeys {
  /// The hash under which a device's events lie: for commands that are given the id itself.
  public func device(app: String, id: String) -> DeviceHash {
    var hasher = IdentityHasher(self)
    defer { hasher.deallocate() }
    return withText(app) { app in withText(id) { id in hasher.device(app: app, id: id) } }
  }
}

/// At most 1024 bytes of the string, in place for as long as `body` runs.
func withText<Result>(_ string: String, _ body: (Text) -> Result) -> Result {
  let bytes = Array(string.utf8.prefix(1024)) + [0]
  return bytes.withUnsafeBufferPointer { bytes in
    guard let start = bytes.baseAddress else { fatalError("an array of one byte has an address") }
    return body(Text(start: start, count: bytes.count - 1))
  }
}
