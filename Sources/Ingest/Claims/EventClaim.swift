import Lifecycle

/// What a client says of one event, every field checked: there is no claim that does not become an event.
///
/// Its texts lie in the body, or in the memory of a draft, and are gone with it. An empty one was not given.
struct EventClaim {
  var device: Text
  var stage: Stage
  var release, from, reason, id, push: Text
  /// With the app.
  var context: ContextInterner.Key
  /// By the client's clock; nil where it gives no time.
  var at: Timestamp?
  var trigger: Trigger
  var outcome: Outcome?
  var duration: Milliseconds?
  var bytes: Int64?
  var bucket: UInt8?
  /// nil where it is not known.
  var received: Timestamp?
  /// How far the client's clock is behind, by what the event itself says; nil where it says nothing of it.
  var skew: Milliseconds?
}
