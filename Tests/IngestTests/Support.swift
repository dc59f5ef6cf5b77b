import Lifecycle
import Store

@testable import Ingest

/// Fixed keys: the same ids give the same hashes in every run.
let keys = IdentityKeys(device: Array(0..<16), event: Array(16..<32))
/// 2024-03-04T12:00:00Z, the receiver's clock in all tests.
let noon = Timestamp(rawValue: 1_709_553_600_000)

func decode(
  _ body: String, as format: BodyFormat = .json, app: String? = "com.example.demo", sentAt: Timestamp? = nil,
  limits: BodyLimits? = BodyLimits()
) -> Decoded {
  decode(Array(body.utf8), as: format, app: app, sentAt: sentAt, limits: limits)
}

func decode(
  _ body: [UInt8], as format: BodyFormat = .json, app: String? = "com.example.demo", sentAt: Timestamp? = nil,
  limits: BodyLimits? = BodyLimits()
) -> Decoded {
  var reception = Reception.request(app: app, received: noon, sentAt: sentAt)
  reception.limits = limits
  return NativeDecoder(keys: keys).decode(body.span.bytes, as: format, reception)
}

extension EventBatch {
  func name(_ index: NameIndex) -> String? { index == .none ? nil : names[Int(index.rawValue)] }
}

extension IdentityKeys {
  /// The hash that stands for a push.
  func push(app: String, id: String) -> UInt64 {
    var hasher = IdentityHasher(self)
    defer { hasher.deallocate() }
    return withText(app) { app in withText(id) { id in hasher.push(app: app, id: id) } }
  }
}

/// An event that is whole, with more members put in front of its own.
func event(_ members: String = "") -> String {
  let more = members.isEmpty ? "" : members + ","
  return #"{\#(more)"device":"d1","stage":"ready","release":"2.0.0","at":"2024-03-04T08:00:00Z"}"#
}
