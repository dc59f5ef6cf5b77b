internal import Console
public import Lifecycle

/// What was known at the look that reached a stop: the first devices, of which too many were harmed.
public struct StopEvidence: Encodable, Equatable, Sendable {
  /// What had happened by then.
  public var events: Int
  /// The devices that it had begun on.
  public var devices: Int
  /// How many events the limit permits by then; nil where each device counted as a whole trial.
  @Nullable public var permitted: Double?

  init?(_ reached: LookTest.Reached?) {
    guard let known = reached?.known else { return nil }
    (events, devices) = (known.events, known.devices)
    permitted = known.permitted > 0 ? known.permitted : nil
  }

  /// Where the rate lay below the limit then, it was too high for the time that devices had been watched.
  ///
  /// - Parameter named: what the sentence calls the limit.
  public func words(_ limit: Double, named name: String, by instant: Timestamp) -> String {
    let counts = "with \(grouped(events)) of the first \(grouped(devices)) by \(instant.words)"
    guard Double(events) <= limit * Double(devices), let permitted else { return "above \(name) for certain \(counts)" }
    return "for certain more than the \(decimal(permitted, 1)) that \(name) permits so soon, \(counts)"
  }
}
