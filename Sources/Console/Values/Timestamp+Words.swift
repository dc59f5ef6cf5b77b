internal import Glibc
public import Lifecycle

/// What command lines call an instant.
public typealias Instant = Timestamp

/// Instants as people type and read them.
extension Timestamp {
  static let forms = "accepted forms: 2025-03-01, 2025-03-01T08:00:00Z, 2025-03-01T08:00:00+02:00, or an age such as 7d"

  /// Reads RFC 3339, a date (its midnight in UTC), or a duration, which means that long before `now`.
  public init(_ text: String, now: Timestamp) throws(Misreading) {
    if let age = try? Duration(text) {
      self.init(rawValue: now.rawValue - age.rawValue)
      return
    }
    do throws(TimestampProblem) {
      try self.init(rfc3339: text.utf8.count == 10 ? text + "T00:00:00Z" : text)
    } catch {
      switch error {
      case .malformed: throw Misreading("is not a time", hints: [Self.forms])
      case .missingZone:
        throw Misreading("is a time without a zone", hints: ["add Z for UTC: \(shellWord(text + "Z"))"])
      }
    }
  }

  /// The clock of this machine.
  public static func now() -> Timestamp {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(rawValue: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }

  /// `2025-03-01 08:00 UTC`, for people.
  public var words: String {
    let (date, clock) = (rfc3339.prefix { $0 != "T" }, rfc3339.drop { $0 != "T" }.dropFirst())
    return "\(date) \(clock.prefix(5)) UTC"
  }
}
