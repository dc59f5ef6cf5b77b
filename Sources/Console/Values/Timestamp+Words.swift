internal import Glibc
public import Lifecycle

/// What command lines call an instant.
public typealias Instant = Timestamp

/// Instants as people type and read them.
extension Timestamp {
  static let forms =
    "accepted forms: 2025-03-01, 2025-03-01T08:00:00Z, \"2025-03-01 08:00 UTC\", 2025-03-01T08:00+02:00, or an age such as 7d"

  /// Reads RFC 3339, also without seconds and as `words` are written; a date (its midnight in UTC); or a duration, which means that long
  /// before `now`.
  public init(_ text: String, now: Timestamp) throws(Misreading) {
    if let age = try? Duration(text) {
      self.init(rawValue: now.rawValue - age.rawValue)
      return
    }
    do throws(TimestampProblem) {
      try self.init(rfc3339: Self.completed(text))
    } catch {
      switch error {
      case .malformed: throw Misreading("is not a time", hints: [Self.forms])
      case .missingZone:
        throw Misreading("is a time without a zone", hints: ["add Z for UTC: \(shellWord(text + "Z"))"])
      }
    }
  }

  /// With the seconds that are not written, and a zone that is.
  private static func completed(_ text: String) -> String {
    if text.utf8.count == 10 { return text + "T00:00:00Z" }
    var bytes = Array(text.utf8)
    if bytes.count > 16, text.hasSuffix(" UTC") { bytes.replaceSubrange((bytes.count - 4)..., with: "Z".utf8) }
    let (colon, minute) = (UInt8(ascii: ":"), 16)
    if bytes.count >= minute, bytes[minute - 3] == colon, bytes.count == minute || bytes[minute] != colon {
      bytes.insert(contentsOf: ":00".utf8, at: minute)
    }
    return String(decoding: bytes, as: UTF8.self)
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
