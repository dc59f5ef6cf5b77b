import Lifecycle
import Store

/// First attempts of one release on one segment, with the cut-off left open, so that any later one can be put in.
///
/// An attempt changes with the cut-off only while it is younger than `attemptAge`, or its launch than `rollbackAge`: the first
/// are kept whole, of the second the times. All others are counted. Exact for every cut-off from `since` on, which lies after
/// everything that was heard. Tested in `SummaryTests`.
struct OpenAttempts {
  static let options = Failures.Options()
  /// Late enough for every launch to be old.
  private static let end = Timestamp(rawValue: 1 << 52)

  /// Of attempts that are old enough, as if their launches were, too.
  private(set) var counts = AttemptCounts()
  private(set) var harm = AttemptHarm()
  /// Of these attempts the launches that are not.
  private(set) var launches: [Launch] = []
  private(set) var young: [Attempt] = []

  /// Of an attempt whose launch may be too young at a cut-off.
  struct Launch: RawRepresentable {
    /// `time << 2`, and 1 where the attempt failed, 2 where the launch counts as rolled back.
    let rawValue: Int64
    var at: Timestamp { Timestamp(rawValue: rawValue >> 2) }
    var hasFailed: Bool { rawValue & 1 == 1 }
    var isRolledBack: Bool { rawValue & 2 == 2 }

    init(rawValue: Int64) { self.rawValue = rawValue }
    init(at: Timestamp, hasFailed: Bool, isRolledBack: Bool) {
      rawValue = at.rawValue << 2 | (hasFailed ? 1 : 0) | (isRolledBack ? 2 : 0)
    }
  }

  var isEmpty: Bool { counts.attempts == 0 && young.isEmpty }

  mutating func add(_ attempt: Attempt, since: Timestamp, _ vocabulary: Vocabulary, _ grid: LookGrid?) {
    guard since - attempt.start.at >= Self.options.attemptAge else {
      young.append(attempt)
      return
    }
    let before = (counts.failed, counts.rolledBack)
    counts.add(attempt, Self.end, Self.options, vocabulary)
    harm.add(attempt, Self.end, Self.options, vocabulary, grid)
    guard attempt.launch.happened, since - attempt.launch.at < Self.options.rollbackAge else { return }
    launches.append(
      Launch(
        at: attempt.launch.at, hasFailed: counts.failed > before.0, isRolledBack: counts.rolledBack > before.1))
  }

  mutating func add(_ other: OpenAttempts) {
    counts.add(other.counts)
    harm.add(other.harm)
    launches += other.launches
    young += other.young
  }

  /// Takes out what was put in, of both of which the same is young.
  mutating func subtract(_ other: OpenAttempts, _ vocabulary: Vocabulary) {
    counts.subtract(other.counts)
    harm.subtract(other.harm)
    var old = launches.map(\.rawValue)
    old.add(bag: other.launches.map(\.rawValue), times: -1)
    launches = old.map(Launch.init)
    var out = Dictionary(other.young.map { ($0.named(vocabulary), 1) }, uniquingKeysWith: +)
    young.removeAll { attempt in
      let name = attempt.named(vocabulary)
      guard let left = out[name], left > 0 else { return false }
      out[name] = left - 1
      return true
    }
  }

  /// The same with less that is young, at a later instant.
  func moved(to since: Timestamp, _ vocabulary: Vocabulary, _ grid: LookGrid?) -> OpenAttempts {
    var moved = self
    moved.launches = launches.filter { since - $0.at < Self.options.rollbackAge }
    moved.young = []
    for attempt in young { moved.add(attempt, since: since, vocabulary, grid) }
    return moved
  }
}

// MARK: at a cut-off

extension OpenAttempts {
  func counts(at cutOff: Timestamp, _ vocabulary: Vocabulary) -> AttemptCounts {
    var counts = counts
    for launch in launches where cutOff - launch.at < Self.options.rollbackAge {
      if !launch.hasFailed { counts.settled -= 1 }
      (counts.applies, counts.appliesTooYoung) = (counts.applies - 1, counts.appliesTooYoung + 1)
      if launch.isRolledBack { counts.rolledBack -= 1 }
    }
    for attempt in young { counts.add(attempt, cutOff, Self.options, vocabulary) }
    return counts
  }

  /// - Parameters:
  ///   - grid: nil where looks are not asked for.
  ///   - endless: the grid that looks were counted by.
  func harm(
    at cutOff: Timestamp, _ vocabulary: Vocabulary, _ grid: LookGrid?, countedBy endless: LookGrid?
  ) -> AttemptHarm {
    var harm = harm
    let looks = harm.looks.take()
    if let grid, let endless, let looks { harm.looks = looks.seen(by: grid, countedBy: endless) }
    for launch in launches where !launch.hasFailed && cutOff - launch.at < Self.options.rollbackAge {
      harm.activation.shorten(cutOff - launch.at)
    }
    for attempt in young { harm.add(attempt, cutOff, Self.options, vocabulary, grid) }
    return harm
  }
}

extension AttemptHarm.Looks {
  fileprivate func seen(by grid: LookGrid, countedBy endless: LookGrid) -> Self {
    var looks = Self()
    looks.delivery = delivery.seen(by: grid, countedBy: endless)
    looks.activation = activation.seen(by: grid, countedBy: endless)
    return looks
  }
}

// MARK: in a summary

/// What the numbers of these columns mean. Frozen: files that hold them are in the world.
extension SummaryPart {
  static let attemptCounts: Int64 = 100
  static let attemptReasons: Int64 = 101
  /// Launches that are too young, and whole attempts: seven times each, and the numbers of their reasons among `youngReasons`.
  static let youngLaunches: Int64 = 102
  static let youngAttempts: Int64 = 103
  static let youngReason: Int64 = 104
  static let youngReasons: Int64 = 105
  /// Three of deliveries and three of launches.
  static let attemptLooks: Int64 = 106
  /// Emulators, about no release: how many are known of the same releases, how many these are, and which.
  static let emulators: Int64 = 112
  /// Of an open summary, about no release: the releases of which attempts are kept, those of which stages are, and devices of which a
  /// question counts them by itself.
  static let attempted: Int64 = 113
  static let staged: Int64 = 114
  static let journeysUnsettled: Int64 = 115

  static let ofAttempts: Range<Int64> = 100..<120

  /// Of an open summary, which is made anew again and again, the instants of an hour lie in a column of their own: all but those of the last
  /// hours stay as they are. First launches that are too young, then entries into one stage after the other.
  static let hours: Range<Int64> = 400..<400 + hoursApart * Int64(StageCounts.count + 1)
  private static let hoursApart: Int64 = 64

  /// - Parameter kind: 0 for launches, 1 and more for stages.
  static func hours(_ kind: Int) -> Range<Int64> {
    let first = hours.lowerBound + hoursApart * Int64(kind)
    return first..<first + hoursApart
  }

  /// Instants that lie no more than a day or two from each other.
  /// - Parameter values: those of one kind, with their instants before `bits`.
  static func byHour(_ release: Int64, _ group: Group, _ kind: Int, _ values: [Int64], bits: Int64) -> [SummaryPart] {
    Dictionary(grouping: values) { hours(kind).lowerBound + ($0 >> bits) / 3_600_000 & (hoursApart - 1) }
      .map { SummaryPart(release, group, $0, $1.sorted()) }
  }
}

extension [Int64: SummaryPart] {
  /// What lies in columns by hour.
  func byHour(_ kind: Int) -> [Int64] { SummaryPart.hours(kind).flatMap { self[$0]?.values ?? [] } }
}

extension OpenAttempts {
  func parts(release: Int64, _ group: Group, _ vocabulary: Vocabulary, byHour: Bool) -> [SummaryPart] {
    if isEmpty { return [] }
    func part(_ number: Int64, _ values: [Int64]) -> SummaryPart { SummaryPart(release, group, number, values) }
    // What columns hold must not depend on which thread met which device.
    let young = young.sorted { $0.stored.lexicographicallyPrecedes($1.stored) }
    let words = Set(young.compactMap(\.reason).map(vocabulary.name)).sorted()
    let reasons = young.map { attempt -> Int64 in
      attempt.reason.flatMap { words.firstIndex(of: vocabulary.name($0)) }.map { Int64($0) } ?? .max
    }
    let failures = counts.reasons.sorted { $0.key < $1.key }
    var parts = [
      part(SummaryPart.attemptCounts, counts.stored + harm.delivery.stored + harm.activation.stored),
      part(SummaryPart.attemptReasons, failures.flatMap { Int64($0.value).followed(by: $0.key) }),
      part(SummaryPart.youngAttempts, young.flatMap(\.stored)),
      part(SummaryPart.youngReason, reasons),
      part(SummaryPart.youngReasons, words.flatMap { Int64(0).followed(by: $0) }),
    ]
    let launches = launches.map(\.rawValue)
    parts +=
      byHour
      ? SummaryPart.byHour(release, group, 0, launches, bits: 2) : [part(SummaryPart.youngLaunches, launches.sorted())]
    guard let looks = harm.looks else { return parts }
    for (number, values) in (looks.delivery.stored + looks.activation.stored).enumerated() {
      parts.append(part(SummaryPart.attemptLooks + Int64(number), values))
    }
    return parts
  }

  /// nil where the columns are not as `parts` makes them.
  init?(_ parts: [SummaryPart], _ vocabulary: Vocabulary) {
    let columns = Dictionary(uniqueKeysWithValues: parts.map { ($0.number, $0) })
    func column(_ number: Int64) -> [Int64] { columns[number]?.values ?? [] }
    let sums = column(SummaryPart.attemptCounts)
    let length = (sums.count - AttemptCounts.storedCount) / 2
    guard length > 0, let counts = AttemptCounts(sums.prefix(AttemptCounts.storedCount)),
      let delivery = Harm(stored: sums.dropFirst(AttemptCounts.storedCount).dropLast(length)),
      let activation = Harm(stored: sums.suffix(length)),
      let young = Self.young(
        column(SummaryPart.youngAttempts), column(SummaryPart.youngReason), column(SummaryPart.youngReasons), vocabulary
      )
    else { return nil }
    self.counts = counts
    for (count, word) in words(column(SummaryPart.attemptReasons)) { self.counts.reasons[word] = Int(count) }
    (harm.delivery, harm.activation, self.young) = (delivery, activation, young)
    launches = (column(SummaryPart.youngLaunches) + columns.byHour(0)).map(Launch.init)
    let looks = (0..<6).map { column(SummaryPart.attemptLooks + $0) }
    guard columns[SummaryPart.attemptLooks] != nil else { return }
    harm.looks = AttemptHarm.Looks()
    harm.looks?.delivery = HarmLooks(stored: Array(looks[..<3]))
    harm.looks?.activation = HarmLooks(stored: Array(looks[3...]))
  }

  private static func young(
    _ times: [Int64], _ reasons: [Int64], _ stored: [Int64], _ vocabulary: Vocabulary
  ) -> [Attempt]? {
    guard times.count == reasons.count * Attempt.storedCount else { return nil }
    let words = words(stored).map(\.word)
    let numbers = words.isEmpty ? [:] : Dictionary(vocabulary.names.map { ($1, $0) }, uniquingKeysWith: min)
    var young: [Attempt] = []
    for (index, reason) in reasons.enumerated() {
      var number: Int64?
      if reason != .max {
        guard words.indices.contains(Int(reason)), let known = numbers[words[Int(reason)]] else { return nil }
        number = known
      }
      young.append(Attempt(times[(index * Attempt.storedCount)...], reason: number))
    }
    return young
  }
}

extension AttemptCounts {
  fileprivate static let storedCount = 8
  fileprivate var stored: [Int64] {
    [attempts, failed, retried, recovered, broken, settled, applies, rolledBack].map(Int64.init)
  }

  fileprivate init?(_ stored: some Collection<Int64>) {
    let numbers = stored.map { Int($0) }
    guard numbers.count == Self.storedCount else { return nil }
    (attempts, failed, retried, recovered) = (numbers[0], numbers[1], numbers[2], numbers[3])
    (broken, settled, applies, rolledBack) = (numbers[4], numbers[5], numbers[6], numbers[7])
  }
}

extension Attempt {
  fileprivate static let storedCount = 7
  fileprivate var stored: [Int64] { [start, failed, ready, ran, launch, rolledBack, crashed].map(\.rawValue) }

  /// What tells it from others: numbers of a reason may be several.
  fileprivate func named(_ vocabulary: Vocabulary) -> Named {
    Named(times: stored, reason: reason.map(vocabulary.name))
  }

  fileprivate struct Named: Hashable {
    var times: [Int64]
    var reason: String?
  }

  fileprivate init(_ stored: ArraySlice<Int64>, reason: Int64?) {
    let times = stored.prefix(Self.storedCount).map(FirstTime.init)
    (start, failed, ready, ran) = (times[0], times[1], times[2], times[3])
    (launch, rolledBack, crashed, self.reason) = (times[4], times[5], times[6], reason)
  }
}

extension Int64 {
  /// A number and a word, byte for byte after how many there are.
  fileprivate func followed(by word: String) -> [Int64] { [self, Int64(word.utf8.count)] + word.utf8.map(Int64.init) }
}

private func words(_ stored: [Int64]) -> [(count: Int64, word: String)] {
  var (words, rest) = ([(count: Int64, word: String)](), stored[...])
  while let count = rest.popFirst(), let length = rest.popFirst() {
    let bytes = rest.prefix(max(0, Int(length))).map { UInt8(truncatingIfNeeded: $0) }
    words.append((count, String(decoding: bytes, as: UTF8.self)))
    rest = rest.dropFirst(bytes.count)
  }
  return words
}
