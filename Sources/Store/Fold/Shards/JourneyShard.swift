import Lifecycle

/// The journeys of some devices on one release in one channel, as columns in order of the device hash.
public struct JourneyShard: Sendable {
  public internal(set) var devices: [UInt64] = []
  /// First times by number of the milestone; one that nobody reached has an empty column.
  var columns = [[Int64]](repeating: [], count: Milestone.numbers)
  /// The reason of the first failure, a number of `name`; 0 is none.
  var reasons: [Int64] = []
  /// `time << 7 | bucket` of the first event that named the device's rollout bucket.
  var buckets: [Int64] = []

  public init() {}

  public func first(_ milestone: Milestone, _ index: Int) -> FirstTime {
    let column = columns[milestone.rawValue]
    return FirstTime(rawValue: column.isEmpty ? .max : column[index])
  }

  /// A milestone's whole column, or nil where nobody reached it.
  public func column(_ milestone: Milestone) -> [Int64]? {
    columns[milestone.rawValue].isEmpty ? nil : columns[milestone.rawValue]
  }

  public func failureReason(_ index: Int) -> Int64? { reasons.isEmpty || reasons[index] == 0 ? nil : reasons[index] }

  /// nil where the device had not named one by an instant.
  public func bucket(_ index: Int, until instant: Int64 = .max) -> UInt8? {
    buckets.isEmpty || buckets[index] == .max || buckets[index] >> 7 > instant ? nil : UInt8(buckets[index] & 127)
  }
}

/// What one event adds to one journey.
struct JourneyFact {
  var device: UInt64
  var first: Int64
  var reason: Int32
  var milestone: Milestone
  /// Negative where the client named none.
  var namedBucket: Int8

  var bucket: Int64 { packedBucket(namedBucket, at: first >> 3) }
}

extension JourneyShard {
  /// The shard with more facts in it. Minimums only: any order, any grouping, any repetition gives the same shard.
  ///
  /// - Parameters:
  ///   - facts: in order of device.
  ///   - rank: the alphabetical place of a name, which decides between two reasons of the same instant.
  func merging(_ facts: ArraySlice<JourneyFact>, rank: (Int64) -> Int) -> JourneyShard {
    var merged = JourneyShard()
    let places = merged.unite(devices, facts)
    merged.spread(self, places.old)
    for (fact, place) in zip(facts, places.new) { merged.add(fact, at: place, rank) }
    return merged
  }

  /// Puts in more facts. Nearly all are about devices that are in it already: then nothing is moved.
  mutating func merge(_ facts: ArraySlice<JourneyFact>, rank: (Int64) -> Int) {
    guard let places = places(of: facts) else {
      self = merging(facts, rank: rank)
      return
    }
    for (fact, place) in zip(facts, places) { add(fact, at: place, rank) }
  }

  /// nil where one of them is about a device that is not in it.
  private func places(of facts: ArraySlice<JourneyFact>) -> [Int]? {
    var (places, next) = ([Int](), 0)
    places.reserveCapacity(facts.count)
    for fact in facts {
      next = devices.firstPlace(from: next) { $0 >= fact.device }
      guard next < devices.count, devices[next] == fact.device else { return nil }
      places.append(next)
    }
    return places
  }

  /// Sets the devices to those of both; answers where the old rows and the facts find theirs.
  private mutating func unite(_ old: [UInt64], _ facts: ArraySlice<JourneyFact>) -> (old: [Int], new: [Int]) {
    var (oldPlaces, newPlaces): ([Int], [Int]) = ([], [])
    oldPlaces.reserveCapacity(old.count)
    newPlaces.reserveCapacity(facts.count)
    var next = 0
    for fact in facts {
      while next < old.count, old[next] <= fact.device {
        oldPlaces.append(devices.count)
        devices.append(old[next])
        next += 1
      }
      if devices.last != fact.device { devices.append(fact.device) }
      newPlaces.append(devices.count - 1)
    }
    for device in old[next...] {
      oldPlaces.append(devices.count)
      devices.append(device)
    }
    return (oldPlaces, newPlaces)
  }

  private mutating func spread(_ old: JourneyShard, _ places: [Int]) {
    func spread(_ column: [Int64], _ empty: Int64) -> [Int64] {
      guard !column.isEmpty else { return [] }
      var wide = [Int64](repeating: empty, count: devices.count)
      for (index, place) in places.enumerated() { wide[place] = column[index] }
      return wide
    }
    columns = old.columns.map { spread($0, .max) }
    reasons = spread(old.reasons, 0)
    buckets = spread(old.buckets, .max)
  }

  private mutating func add(_ fact: JourneyFact, at place: Int, _ rank: (Int64) -> Int) {
    let milestone = fact.milestone.rawValue
    if columns[milestone].isEmpty { columns[milestone] = Array(repeating: .max, count: devices.count) }
    let known = columns[milestone][place]
    if fact.milestone == .failed { noteReason(fact, at: place, known, rank) }
    if fact.first < known { columns[milestone][place] = fact.first }
    if fact.namedBucket >= 0 {
      if buckets.isEmpty { buckets = Array(repeating: .max, count: devices.count) }
      buckets[place] = min(buckets[place], fact.bucket)
    }
  }

  private mutating func noteReason(_ fact: JourneyFact, at place: Int, _ known: Int64, _ rank: (Int64) -> Int) {
    let reason = Int64(fact.reason)
    if reason != 0, fact.first <= known {
      if reasons.isEmpty { reasons = Array(repeating: 0, count: devices.count) }
      let isEarlier = fact.first < known || reasons[place] == 0
      if isEarlier || rank(reason) < rank(reasons[place]) { reasons[place] = reason }
    } else if fact.first < known, !reasons.isEmpty {
      reasons[place] = 0
    }
  }
}
