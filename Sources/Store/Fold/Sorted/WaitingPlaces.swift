/// What events that are not folded are about, without the events: which shards of journeys and weeks they would change.
struct WaitingPlaces {
  struct Journeys: Mixed {
    var release: Int64
    var channel: Int64
    var mix: Int { Int(truncatingIfNeeded: release &* 31 &+ channel) }
  }
  struct Week: Mixed {
    var app: Int64
    var week: Int64
    var mix: Int { Int(truncatingIfNeeded: week &+ app &* 61) }
  }
  private var journeyNumbers = Numbering<Journeys>()
  private var weekNumbers = Numbering<Week>()

  var journeys: [Journeys] { journeyNumbers.keys }
  var weeks: [Week] { weekNumbers.keys }

  mutating func add(_ event: FoldEvent, _ origin: Origins.Origin) {
    if event.release != 0, Milestone(event.stage) != nil {
      _ = journeyNumbers.number(Journeys(release: Int64(event.release), channel: origin.channel))
    }
    if WakeFact(event, origin) != nil {
      _ = weekNumbers.number(Week(app: origin.app, week: WakePlace.week(event.at)))
    }
  }

  mutating func add(_ other: WaitingPlaces) {
    for place in other.journeys { _ = journeyNumbers.number(place) }
    for week in other.weeks { _ = weekNumbers.number(week) }
  }
}

/// What a stretch of sorted events says as a whole.
struct StretchHead {
  var places = WaitingPlaces()
  var sightings: Sightings

  init(_ sightings: Sightings) { self.sightings = sightings }

  mutating func add(_ other: StretchHead) {
    places.add(other.places)
    sightings.add(other.sightings)
  }
}

// MARK: as bytes

extension StretchHead {
  /// Lists of numbers, each with its length before it, as one column.
  var packed: [UInt8] {
    var numbers: [Int64] = []
    func add(_ list: [[Int64]]) {
      numbers.append(Int64(list.count))
      for entry in list { numbers += entry }
    }
    add(places.journeys.map { [$0.release, $0.channel] })
    add(places.weeks.map { [$0.app, $0.week] })
    add(sightings.firsts.map { [$0.release, $0.channel, $0.platform, $1.any, $1.subject] })
    add(sightings.lags.map { [$0.app, $0.day, $0.seconds, $1] })
    return PackedColumn.pack(numbers)
  }

  /// nil where the bytes are damaged.
  init?(packed bytes: UnsafeRawBufferPointer, _ empty: Sightings) {
    self.init(empty)
    guard PackedColumn.count(bytes) != nil else { return nil }
    var rest = PackedColumn.unpack(bytes)[...]
    func list(_ width: Int) -> [ArraySlice<Int64>]? {
      guard let count = rest.popFirst(), count >= 0, count <= rest.count / width else { return nil }
      defer { rest = rest.dropFirst(Int(count) * width) }
      return (0..<Int(count)).map { rest.dropFirst($0 * width).prefix(width) }
    }
    guard let journeys = list(2), let weeks = list(2), let firsts = list(5), let lags = list(4), rest.isEmpty else {
      return nil
    }
    for entry in journeys { places.add(journeys: Array(entry)) }
    for entry in weeks { places.add(week: Array(entry)) }
    for entry in firsts { sightings.add(first: Array(entry)) }
    for entry in lags { sightings.add(lag: Array(entry)) }
  }
}

extension WaitingPlaces {
  fileprivate mutating func add(journeys entry: [Int64]) {
    _ = journeyNumbers.number(Journeys(release: entry[0], channel: entry[1]))
  }
  fileprivate mutating func add(week entry: [Int64]) { _ = weekNumbers.number(Week(app: entry[0], week: entry[1])) }
}

extension Sightings {
  mutating func add(_ other: Sightings) {
    for (place, first) in other.firsts { note(place, first) }
    for (place, events) in other.lags { note(place, events) }
  }

  fileprivate mutating func add(first entry: [Int64]) {
    note(
      Place(release: entry[0], channel: entry[1], platform: entry[2]), First(any: entry[3], subject: entry[4]))
  }

  fileprivate mutating func add(lag entry: [Int64]) {
    note(LagPlace(app: entry[0], day: entry[1], seconds: entry[2]), entry[3])
  }
}
