import Lifecycle

/// When a release was first mentioned, per channel and platform; and how far behind the clock events arrive.
struct Sightings {
  struct Place: Mixed {
    var release: Int64
    var channel: Int64
    /// 0 where the device did not say.
    var platform: Int64
    var mix: Int { Int(truncatingIfNeeded: (release &* 31 &+ channel) &* 31 &+ platform) }
  }
  struct First {
    var any = Int64.max
    /// By an event that is about the release, not one that merely runs it.
    var subject = Int64.max
  }
  struct LagPlace: Mixed {
    var app: Int64
    var day: Int64
    /// Rounded up to four binary digits: 0, 1, … 16, 18, 20, …; otherwise as `ArrivalLag` has it.
    var seconds: Int64
    var mix: Int { Int(truncatingIfNeeded: seconds ^ seconds >> 10 &+ day &* 61 &+ app &* 7) }
  }
  private var places = Numbering<Place>()
  private var seen: [First] = []
  private var lagPlaces = Numbering<LagPlace>()
  private var counts: [Int64] = []
  /// The number of the reason that says an event's time is only that of its receipt; 0 where none does.
  private let timelessReason: Int32

  /// `connection` is within the transaction that reads the events.
  init(_ connection: borrowing Connection) throws(StoreError) {
    timelessReason =
      try connection.prepare("SELECT id FROM name WHERE text = ?").first(.text(Event.timeOfReceipt)) {
        Int32(truncatingIfNeeded: $0.integer(0))
      } ?? 0
  }

  var firsts: Zip2Sequence<[Place], [First]> { zip(places.keys, seen) }
  var lags: Zip2Sequence<[LagPlace], [Int64]> { zip(lagPlaces.keys, counts) }

  /// - Parameter received: nil where nobody said.
  mutating func add(_ event: FoldEvent, received: Timestamp?, _ origin: Origins.Origin) {
    if let received { note(lagOf: event, received, origin.app) }
    guard event.release != 0, event.stage.isContact else { return }
    let isSubject = event.stage.releaseMeaning == .subject
    note(
      Place(release: Int64(event.release), channel: origin.channel, platform: origin.platform),
      First(any: event.at.rawValue, subject: isSubject ? event.at.rawValue : .max))
  }

  mutating func note(_ place: Place, _ first: First) {
    let number = places.number(place)
    if number == seen.count { seen.append(First()) }
    seen[number].any = min(seen[number].any, first.any)
    seen[number].subject = min(seen[number].subject, first.subject)
  }

  mutating func note(_ place: LagPlace, _ events: Int64) {
    let number = lagPlaces.number(place)
    if number == counts.count { counts.append(0) }
    counts[number] += events
  }

  private mutating func note(lagOf event: FoldEvent, _ received: Timestamp, _ app: Int64) {
    let isTimeless = event.reason != 0 && event.reason == timelessReason
    let seconds = (received - event.at).rawValue / 1000
    let lag = seconds < 0 ? ArrivalLag.ahead(-seconds) : Self.rounded(seconds)
    note(LagPlace(app: app, day: received.seconds / 86_400, seconds: isTimeless ? ArrivalLag.unknown : lag), 1)
  }

  /// As earlier programs stored it: to two binary digits, and no clock was ahead.
  static func asBefore(_ seconds: Int64) -> Int64 {
    rounded(seconds < ArrivalLag.unknown ? 0 : seconds, digits: 2)
  }

  /// Up, to so many binary digits.
  static func rounded(_ seconds: Int64, digits: Int = 4) -> Int64 {
    guard seconds >= 1 << digits else { return seconds }
    let step = Int64(1) << (64 - digits - seconds.leadingZeroBitCount)
    return (seconds + step - 1) / step * step
  }

  func store(_ connection: borrowing Connection) throws(StoreError) {
    let sighting = try connection.prepare(
      """
      INSERT INTO sighting VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO UPDATE SET first_at = min(first_at, ?4),
        first_subject_at = min(coalesce(first_subject_at, ?5), coalesce(?5, first_subject_at))
      """)
    for (place, first) in firsts {
      try sighting.run(
        .integer(place.release), .integer(place.channel), .integer(place.platform), .integer(first.any),
        first.subject == .max ? .null : .integer(first.subject))
    }
    let lag = try connection.prepare(
      "INSERT INTO lag VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE SET events = events + ?4")
    for (place, events) in lags {
      try lag.run(.integer(place.app), .integer(place.day), .integer(place.seconds), .integer(events))
    }
  }
}
