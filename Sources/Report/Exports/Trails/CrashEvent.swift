public import Console
public import Lifecycle

/// A crash event that is given the trail of its device.
public struct CrashEvent: Sendable {
  public private(set) var json: JSON
  public init(_ json: JSON) { self.json = json }

  /// The text at a dotted path, such as `user.id`; a number is taken as its digits.
  public func text(at path: String) -> String? {
    switch value(at: path) {
    case .string(let text)? where !text.isEmpty: text
    case .integer(let number)?: String(number)
    default: nil
    }
  }

  private func value(at path: String) -> JSON? {
    path.split(separator: ".").reduce(JSON?.some(json)) { $0?[String($1)] }
  }

  /// When it crashed; nil where it does not say so in a form that is known here.
  public var time: Timestamp? {
    let seconds = Self.usualTimes.lazy.compactMap { value(at: $0).flatMap(Self.seconds) }.first
    return seconds.map { Timestamp(rawValue: Int64(($0 * 1000).rounded())) }
  }

  private static let usualTimes = ["timestamp", "at", "device.time", "event_timestamp", "received_at"]

  /// Where crash reporters, and we, put the id of a device, the best place first.
  public static let usualPlaces = [
    "device", "device.id", "user.id", "contexts.device.id", "tags.device", "metaData.device.id",
  ]

  /// Puts a fragment in: breadcrumbs among those that are there in order of time, objects into objects; what the event
  /// says itself stays.
  public mutating func add(_ fragment: JSON) { json = Self.merge(json, fragment, key: "") }

  private static func merge(_ own: JSON, _ other: JSON, key: String) -> JSON {
    switch (own, other) {
    case (.object(var fields), .object(let more)):
      for (name, value) in more { fields[name] = fields[name].map { merge($0, value, key: name) } ?? value }
      return .object(fields)
    case (.array(let one), .array(let two)): return .array(inOrder(one + two))
    // Sentry takes both forms of breadcrumbs.
    case (.array(let one), .object(let more)) where key == "breadcrumbs":
      if case .array(let two)? = more["values"] { return .array(inOrder(one + two)) }
      return own
    case (.null, _): return other
    default: return own
    }
  }

  /// Those without a readable time stay where they are, behind the one before them.
  private static func inOrder(_ crumbs: [JSON]) -> [JSON] {
    var last = -Double.infinity
    let dated = crumbs.enumerated().map { place, crumb -> (at: Double, place: Int, crumb: JSON) in
      last = crumb["timestamp"].flatMap(seconds) ?? last
      return (last, place, crumb)
    }
    return dated.sorted { ($0.at, $0.place) < ($1.at, $1.place) }.map(\.crumb)
  }

  /// Numbers are seconds, as Sentry counts, or milliseconds, as we do: those since 1973 are larger than seconds until the year 5138.
  private static func seconds(_ timestamp: JSON) -> Double? {
    let number: Double? =
      switch timestamp {
      case .number(let number): number
      case .integer(let number): Double(number)
      case .string(let text):
        (try? Instant(rfc3339(text), now: Instant(rawValue: 0))).map { Double($0.rawValue) / 1000 }
      default: nil
      }
    guard let number, number.isFinite, number.magnitude < 1e14 else { return nil }
    return number < 1e11 ? number : number / 1000
  }

  /// BigQuery writes `2025-03-01 08:00:00.5 UTC`.
  private static func rfc3339(_ text: String) -> String {
    text.hasSuffix(" UTC") ? text.dropLast(4).replacing(" ", with: "T") + "Z" : text
  }
}
