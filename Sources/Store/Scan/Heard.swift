import Lifecycle
internal import Synchronization

/// What was heard of the devices of a shard since they were summarised, and what was known of these devices before and is not folded.
struct Heard {
  let span: HeardSpan
  /// Those that were heard of, and those that were unsettled; in order.
  let devices: [UInt64]
  /// Of these the ones that count twice whatever was heard; likewise.
  private let unsettled: [UInt64]
  /// Likewise of releases that ended; see `HeardSpan.late`.
  private let late: [Int64: ArraySlice<UInt64>]
  let known: Facts
  let later: Facts

  /// - Parameter facts: of the same shard, read for this question among others.
  init(_ shard: Int, _ span: HeardSpan, _ facts: HeardFacts, _ reader: ShardReader) {
    (self.span, known, later) = (span, facts.known, facts.later)
    late = span.late(in: shard)
    unsettled = span.listed(in: shard)
    devices = (facts.heard(reader) + unsettled).unique
  }

  /// Whether anything that is not folded does.
  func namesBuckets(_ place: DevicePlace) -> Bool {
    [known, later].contains { $0.devices[place]?.contains { $0.namedBucket >= 0 } ?? false }
  }

  /// Those that may count otherwise.
  func changed(_ found: HeardDevices, _ shard: Int, _ reader: ShardReader) -> [UInt64] {
    if span.looksAtAll { return devices }
    return changed(found, told: told(found, shard, reader).values.flatMap(\.self).unique, shard, reader)
  }

  private func changed(_ found: HeardDevices, told: [UInt64], _ shard: Int, _ reader: ShardReader) -> [UInt64] {
    found.changed(of: devices, contacts(reader.devicePlace(shard)), told: told, unsettled: unsettled)
  }

  /// Of those that changed the ones that are told without what they said before the summary.
  func resumed(
    _ changed: [UInt64], _ found: HeardDevices, _ shard: Int, _ reader: ShardReader, _ claims: StoredClaims
  ) -> [ResumedDevice] {
    found.resumed(of: changed, contacts(reader.devicePlace(shard)), unsettled: unsettled, claims)
  }

  /// By release those of the ones that changed whose journeys on it may tell something else; see `HeardSpan.apart`.
  func telling(
    _ changed: [UInt64], _ found: HeardDevices, _ shard: Int, _ reader: ShardReader
  ) -> (Int64) -> [UInt64] {
    if span.apart.isEmpty { return { _ in changed } }
    let (told, emulators) = (told(found, shard, reader), found.emulators(of: changed))
    let others = (self.changed(found, told: [], shard, reader) + emulators).unique
    return { release in
      if !span.apart.contains(release) { return changed }
      return told[release].map { (others + $0).unique } ?? others
    }
  }

  private func contacts(_ place: DevicePlace) -> HeardContacts {
    HeardContacts(known.devices[place] ?? [], later.devices[place] ?? [])
  }

  /// Devices with news of their journeys, by release; some more than once.
  private func told(_ found: HeardDevices, _ shard: Int, _ reader: ShardReader) -> [Int64: [UInt64]] {
    var told: [Int64: [UInt64]] = [:]
    for index in reader.journeys.indices {
      let place = reader.journeyPlace(shard, index)
      let asksBuckets = reader.need.journeys[place.release]?.contains(.buckets) ?? true
      told[place.release, default: []] += found.told(later.journeys[place] ?? [], asksBuckets: asksBuckets)
    }
    return told
  }

  /// Of those that changed the ones that may count otherwise for releases that ended.
  ///
  /// - Parameter twice: all of them.
  func news(
    _ twice: DevicesTwice, _ heard: HeardDevices, _ ended: ChangeSpan, _ shard: Int, _ reader: ShardReader
  ) throws -> EndedNews {
    let found = try ChangedDevices(twice.before, twice.later, reader.profiles, ended) { index in
      let runs = try twice.sourceBefore.runs(of: index, twice.before.devices)
      return runs.range(index).reduce(.min) { max($0, runs.ends[$1]) }
    }
    var news = EndedNews(of: found.devices, areApart: ended.areNewerLate)
    for (release, devices) in told(heard, shard, reader) where ended.releases.contains(release) {
      news.add(devices, release)
    }
    for (release, devices) in late { news.add(devices, release) }
    return news
  }

  /// In order of device, what was known before first.
  func facts(_ place: DevicePlace) -> [DeviceFact] {
    let (before, since) = (known.devices[place] ?? [], later.devices[place] ?? [])
    var (facts, next) = ([DeviceFact](), before.startIndex)
    for fact in since {
      while next < before.endIndex, before[next].device <= fact.device {
        facts.append(before[next])
        next += 1
      }
      facts.append(fact)
    }
    return facts + before[next...]
  }
}

// MARK: where a summary is moved on

extension Heard {
  /// - Parameter changed: the devices that are shown.
  func moved(
    _ found: HeardDevices, without changed: [UInt64], _ shard: Int, _ reader: ShardReader
  ) throws -> MovedContacts {
    let place = reader.devicePlace(shard)
    var moved = MovedContacts()
    moved.newest = later.devices[place]?.lazy.map(\.at.rawValue).max()
    moved.beyond = found.beyond(of: devices, contacts(place), without: changed)
    moved.straddling = try straddling(found, shard, reader)
    return moved
  }

  private func straddling(_ found: HeardDevices, _ shard: Int, _ reader: ShardReader) throws -> Int64? {
    let last = (later.devices[reader.devicePlace(shard)] ?? []).filter { $0.at.rawValue > span.cutOff }
      .sorted { $0.at > $1.at }.prefix(Settling.tries)
    if last.isEmpty { return nil }
    let (facts, source) = (facts(reader.devicePlace(shard)), RunSource(reader))
    source.begin(shard, nil)
    // Columns that are open in the file are closed by who has the turn.
    defer { reader.turn.take { source.clear() } }
    for device in last.map(\.device) {
      let place = found.stored.places(of: [device]).first
      var runs = try place.map { try source.storedRuns(of: $0, found.stored.devices) } ?? []
      for fact in facts where fact.device == device { runs.note(fact.key, at: fact.at) }
      let ends = runs.lazy.filter { $0.start.rawValue <= span.cutOff && $0.end.rawValue > span.cutOff }
      if let end = ends.map(\.end.rawValue).max() { return end }
    }
    return nil
  }
}

// MARK: the newest contact

extension Heard {
  /// Of those that are told by what was heard since, the newest up to the cutoff; nil where there is none. A run of contacts that goes on
  /// beyond the cutoff counts as a contact at it; once there is one in any shard, the others look for none.
  func newest(_ found: HeardDevices, _ shard: Int, _ reader: ShardReader) throws -> Int64? {
    let shown = reader.devicePlace(shard)
    let lists = [known, later].compactMap { $0.devices[shown] }
    var newest = lists.compactMap(newestTold).max()
    let isAnyLater = lists.contains { $0.contains { $0.at.rawValue > span.cutOff } }
    if span.isNewestKnown || newest == span.cutOff || !isAnyLater
      || reader.isNewestFound.load(ordering: .relaxed)
    {
      return newest
    }
    let facts = facts(shown)[...]
    let source = RunSource(reader)
    source.begin(shard, nil)
    // Columns that are open in the file are closed by who has the turn.
    defer { reader.turn.take { source.clear() } }
    var (next, place) = (facts.startIndex, 0)
    while next < facts.endIndex {
      let own = facts[next...].prefix { $0.device == facts[next].device }
      next = own.endIndex
      place = found.stored.devices.firstPlace(from: place) { $0 >= own[own.startIndex].device }
      guard let at = try contact(own, found, place, source) else { continue }
      newest = max(newest ?? at, at)
      if newest == span.cutOff { break }
    }
    if newest == span.cutOff { reader.isNewestFound.store(true, ordering: .relaxed) }
    return newest
  }

  private func newestTold(_ facts: ArraySlice<DeviceFact>) -> Int64? {
    facts.lazy.map(\.at.rawValue).filter { $0 <= span.cutOff }.max()
  }

  /// nil where no contact of the device beyond the cutoff can belong to one before it.
  private func contact(
    _ own: ArraySlice<DeviceFact>, _ found: HeardDevices, _ place: Int, _ source: RunSource
  ) throws -> Int64? {
    guard let first = own.lazy.map(\.at.rawValue).filter({ $0 > span.cutOff }).min() else { return nil }
    let device = own[own.startIndex].device
    let isStored = place < found.stored.devices.count && found.stored.devices[place] == device
    let stored = isStored ? found.stored.lastContact(place) ?? .max : .min
    let least = first - ContactRun.longestSilence.rawValue
    guard stored >= least || own.contains(where: { least..<first ~= $0.at.rawValue }) else { return nil }
    var runs = isStored ? try source.storedRuns(of: place, found.stored.devices) : []
    for fact in own { runs.note(fact.key, at: fact.at) }
    return runs.lazy.filter { $0.start.rawValue <= span.cutOff }.map { min($0.end.rawValue, span.cutOff) }.max()
  }
}

/// The devices of a shard that may count otherwise for releases that ended.
struct EndedNews {
  /// Whether what is told of one release bears on no other.
  private let areApart: Bool
  /// By release; under 0 those that may for each.
  private var found: [Int64: [UInt64]]

  fileprivate init(of devices: [UInt64], areApart: Bool) { (found, self.areApart) = ([0: devices], areApart) }

  fileprivate mutating func add(_ devices: some Sequence<UInt64>, _ release: Int64) {
    found[areApart ? release : 0, default: []] += devices
  }

  /// In order.
  var devices: [UInt64] { found.values.flatMap(\.self).unique }
  func devices(of release: Int64) -> [UInt64] { ((found[0] ?? []) + (found[release] ?? [])).unique }
}

extension [UInt64] {
  /// In order, each once.
  var unique: [UInt64] {
    var unique: [UInt64] = []
    for device in sorted() where unique.last != device { unique.append(device) }
    return unique
  }
}

extension ArraySlice<DeviceFact> {
  /// - Parameter some: in order.
  func about(_ some: [UInt64]) -> ArraySlice {
    var join = SortedJoin(some)
    return filter { join.index(of: $0.device) != nil }[...]
  }
}

extension ArraySlice<JourneyFact> {
  /// Likewise.
  func about(_ some: [UInt64]) -> ArraySlice {
    var join = SortedJoin(some)
    return filter { join.index(of: $0.device) != nil }[...]
  }
}
