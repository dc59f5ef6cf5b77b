import Lifecycle
public import Store

/// A warehouse as questions see it: its vocabulary as of one moment, its devices range by range.
public struct WarehouseDatabase: RemoteDatabase {
  public var address: String { client.address.description }
  public let vocabulary: Vocabulary
  let client: WarehouseClient
  let words: WarehouseWords
  let summaries: KeptSummaries
  /// They may be behind each other.
  let hasReplicas: Bool

  public init(_ client: WarehouseClient) throws(StoreError) {
    hasReplicas = try WarehouseSchema(client).checkedCluster() != nil
    let words = try WarehouseWords(client)
    vocabulary = try words.vocabulary(client)
    (self.client, self.words, summaries) = (client, words, KeptSummaries(client))
  }

  /// How many devices there are, or a few more.
  public func deviceCount() throws(StoreError) -> Int {
    var rows = try client.select("SELECT count() FROM \(client.table("profile_seen"))")
    return Int(clamping: try rows.number(UInt64.self))
  }

  public func journeyPlaces(_ app: Int64) throws(StoreError) -> [RemoteJourneys.Place] {
    try mentions(app, kind: 1).compactMap { release, channel in
      guard let release = words.releases[release], let channel = words.names[channel] else { return nil }
      return RemoteJourneys.Place(release: release, channel: channel)
    }
  }

  public func profiles(_ app: Int64) throws(StoreError) -> Set<Int64> {
    var rows = try client.select(
      "SELECT profile FROM \(client.table("profile_seen")) WHERE app = \(hash(app)) GROUP BY profile")
    var found: Set<Int64> = []
    while !rows.isAtEnd { if let profile = words.profiles[try rows.number()] { found.insert(profile) } }
    return found
  }

  public func weeks(_ app: Int64) throws(StoreError) -> [Int64] { try mentions(app, kind: 2).map { Int64($0.one) } }

  private func mentions(_ app: Int64, kind: Int) throws(StoreError) -> [(one: UInt64, other: UInt64)] {
    var rows = try client.select(
      """
      SELECT one, other FROM \(client.table("mention")) WHERE app = \(hash(app)) AND kind = \(kind)
      GROUP BY one, other
      """)
    var found: [(one: UInt64, other: UInt64)] = []
    while !rows.isAtEnd { found.append((try rows.number(), try rows.number())) }
    return found
  }

  func hash(_ app: Int64) -> UInt64 { WordHash.of(vocabulary.name(app)) }

  /// What the rows of a range of devices have in common.
  private func isIn(_ range: DeviceRange) -> String {
    "app = \(hash(range.app)) AND device >= \(range.hashes.lowerBound) AND device <= \(range.hashes.upperBound)"
  }

  public func devices(_ range: DeviceRange) throws(StoreError) -> RemoteDevices {
    var found = RemoteDevices()
    try readContacts(range, into: &found)
    var rows = try client.select(
      """
      SELECT device, profile, finalizeAggregation(first) FROM \(client.table("profile_seen")) WHERE \(isIn(range))
      """)
    while !rows.isAtEnd {
      let (device, profile) = (try rows.number(UInt64.self), words.profiles[try rows.number()])
      let first = Timestamp(rawValue: try rows.number())
      if let profile { found.profiles.append(.init(device: device, profile: profile, first: first)) }
    }
    rows = try client.select(
      "SELECT device, finalizeAggregation(first) FROM \(client.table("device_bucket")) WHERE \(isIn(range))")
    while !rows.isAtEnd { found.buckets.append(.init(device: try rows.number(), packed: try rows.number())) }
    return found
  }

  /// Rows that are not merged yet come as they lie, some of them twice: grouped by the server they would cost it five times as
  /// much.
  private func readContacts(_ range: DeviceRange, into found: inout RemoteDevices) throws(StoreError) {
    var rows = try client.select(
      """
      SELECT device, channel, claim, claimed, finalizeAggregation(first), finalizeAggregation(last)
      FROM \(client.table("contact")) WHERE \(isIn(range))
      """)
    found.contacts.reserveCapacity(rows.count / 41)
    // Rows of a device follow one another, and mostly name what the one before names.
    var (channels, releases) = (LastWord(words.names), LastWord(words.releases))
    while !rows.isAtEnd {
      let (device, channel) = (try rows.number(UInt64.self), channels[try rows.number()])
      let (claim, release) = (Claim(rawValue: try rows.number()), releases[try rows.number()])
      let (first, last) = (Timestamp(rawValue: try rows.number()), Timestamp(rawValue: try rows.number()))
      guard let channel, let claim, claim == .silent || release != nil else { continue }
      found.contacts.append(
        .init(device: device, channel: channel, claim: claim, release: release ?? 0, first: first, last: last))
    }
  }

  public func journeys(_ range: DeviceRange, on releases: [Int64]) throws(StoreError) -> RemoteJourneys {
    var found = RemoteJourneys()
    let wanted = Set(releases)
    let hashes = words.releases.filter { wanted.contains($0.value) }.keys.sorted()
    if hashes.isEmpty { return found }
    let condition = "\(isIn(range)) AND release IN (\(hashes.map { "\($0)" }.joined(separator: ", ")))"
    try readFirsts(condition, into: &found)
    try readReasons(condition, into: &found)
    var rows = try client.select(
      """
      SELECT release, channel, device, finalizeAggregation(first) FROM \(client.table("journey_bucket"))
      WHERE \(condition)
      """)
    while !rows.isAtEnd {
      let place = try place(&rows)
      let bucket = RemoteDevices.Bucket(device: try rows.number(), packed: try rows.number())
      if let place { found.buckets[place, default: []].append(bucket) }
    }
    return found
  }

  private func readFirsts(_ condition: String, into found: inout RemoteJourneys) throws(StoreError) {
    var rows = try client.select(
      """
      SELECT release, channel, device, milestone, finalizeAggregation(first) FROM \(client.table("journey"))
      WHERE \(condition)
      """)
    while !rows.isAtEnd {
      let place = try place(&rows)
      let (device, milestone) = (try rows.number(UInt64.self), Milestone(rawValue: Int(try rows.number(UInt8.self))))
      let first = FirstTime(rawValue: try rows.number())
      guard let place, let milestone else { continue }
      found.firsts[place, default: []].append(.init(device: device, milestone: milestone, first: first))
    }
  }

  private func readReasons(_ condition: String, into found: inout RemoteJourneys) throws(StoreError) {
    var rows = try client.select(
      """
      SELECT release, channel, device, first, reason FROM \(client.table("failure")) WHERE \(condition)
      """)
    while !rows.isAtEnd {
      let place = try place(&rows)
      let (device, first) = (try rows.number(UInt64.self), FirstTime(rawValue: try rows.number()))
      let reason = words.names[try rows.number()]
      guard let place, let reason else { continue }
      found.firsts[place, default: []].append(
        .init(device: device, milestone: .failed, first: first, reason: reason))
    }
  }

  /// A release and a channel; nil for one that came after the words were read.
  private func place(_ rows: inout RowReader) throws(StoreError) -> RemoteJourneys.Place? {
    let (release, channel) = (words.releases[try rows.number()], words.names[try rows.number()])
    guard let release, let channel else { return nil }
    return RemoteJourneys.Place(release: release, channel: channel)
  }

  public func wakes(_ range: DeviceRange, in weeks: [Int64]) throws(StoreError) -> [RemoteWake] {
    if weeks.isEmpty { return [] }
    var rows = try client.select(
      """
      SELECT week, device, at, stage, trigger, outcome, network, push, milliseconds, pushedRelease, channel,
      pushedPlatform FROM \(client.table("wake"))
      WHERE \(isIn(range)) AND week IN (\(weeks.map { "\($0)" }.joined(separator: ", ")))
      """)
    var found: [RemoteWake] = []
    while !rows.isAtEnd { if let wake = try wake(&rows) { found.append(wake) } }
    return found
  }

  private func wake(_ rows: inout RowReader) throws(StoreError) -> RemoteWake? {
    let (week, device) = (Int64(try rows.number(Int32.self)), try rows.number(UInt64.self))
    let at = Timestamp(rawValue: try rows.number())
    let (stage, trigger) = (Stage(code: try rows.number()), Trigger(code: try rows.number()))
    let (outcome, network) = (Outcome(code: try rows.number()), try rows.number(UInt8.self))
    let (push, milliseconds) = (try rows.number(UInt64.self), try rows.number(Int32.self))
    let (release, channel) = (words.releases[try rows.number()], words.names[try rows.number()])
    let platform = words.names[try rows.number()]
    guard let stage, let trigger, let channel else { return nil }
    return RemoteWake(
      week: week, device: device, at: at, stage: stage, trigger: trigger, outcome: outcome, network: network,
      push: push, milliseconds: milliseconds, release: release ?? 0, channel: channel, platform: platform ?? 0)
  }
}

/// Looks a hash up again only where it is another one than before.
private struct LastWord {
  private let words: [UInt64: Int64]
  private var last: (hash: UInt64, number: Int64?)

  init(_ words: [UInt64: Int64]) {
    self.words = words
    last = (0, words[0])
  }

  subscript(_ hash: UInt64) -> Int64? {
    mutating get {
      if hash != last.hash { last = (hash, words[hash]) }
      return last.number
    }
  }
}
