import Lifecycle

/// The same shards that a file holds, made from what another engine knows.
extension DeviceShard {
  init(_ remote: RemoteDevices) {
    self.init()
    let contacts = remote.contacts.sorted { $0.device < $1.device }
    let profiles = Dictionary(grouping: remote.profiles, by: \.device)
    let buckets = Dictionary(remote.buckets.map { ($0.device, $0.packed) }, uniquingKeysWith: min)
    var next = contacts.startIndex
    while next < contacts.endIndex {
      let device = contacts[next].device
      var runs: [ContactRun] = []
      while next < contacts.endIndex, contacts[next].device == device {
        runs.note(contacts[next])
        next += 1
      }
      append(device, runs, profiles[device] ?? [], buckets[device] ?? .max)
    }
  }

  private mutating func append(
    _ device: UInt64, _ runs: [ContactRun], _ seen: [RemoteDevices.Profile], _ bucket: Int64
  ) {
    devices.append(device)
    self.runs += runs
    runOffsets.append(self.runs.count)
    let firsts = Dictionary(seen.map { ($0.profile, $0.first) }, uniquingKeysWith: min)
    profiles += firsts.sorted { $0.key < $1.key }.map { ProfileSighting(profile: $0, firstSeen: $1) }
    profileOffsets.append(profiles.count)
    buckets.append(bucket)
    outlines.append(runs[...])
  }
}

extension [ContactRun] {
  /// Between the two there is no silence of a day.
  fileprivate mutating func note(_ contact: RemoteDevices.Contact) {
    note(contact.key, at: contact.first)
    if contact.last > contact.first { note(contact.key, at: contact.last) }
  }
}

extension JourneyShard {
  init(_ remote: RemoteJourneys, _ place: RemoteJourneys.Place, _ rank: (Int64) -> Int) {
    let facts = (remote.firsts[place] ?? []).sorted { $0.device < $1.device }.map {
      JourneyFact(
        device: $0.device, first: $0.first.rawValue, reason: Int32(truncatingIfNeeded: $0.reason),
        milestone: $0.milestone, namedBucket: -1)
    }
    self = JourneyShard().merging(facts[...], rank: rank)
    for bucket in remote.buckets[place] ?? [] { note(bucket) }
  }

  private mutating func note(_ bucket: RemoteDevices.Bucket) {
    let place = devices.firstPlace { $0 >= bucket.device }
    guard place < devices.count, devices[place] == bucket.device else { return }
    if buckets.isEmpty { buckets = Array(repeating: .max, count: devices.count) }
    buckets[place] = min(buckets[place], bucket.packed)
  }
}

extension WakeShard {
  init(_ remote: [RemoteWake], week: Int64) {
    let facts = remote.filter { $0.week == week }.map(\.fact).sorted { $0.device < $1.device }
    self = WakeShard().merging(facts[...])
  }
}

extension PackedParts {
  /// In place of what it held.
  mutating func fill(_ packed: [(part: Int64, bytes: [UInt8])]) {
    clear()
    for (part, bytes) in packed { bytes.withUnsafeBytes { append(part: part, $0) } }
  }
}
