import Lifecycle
import Store

/// What the numbers of these columns mean. Frozen: files that hold them are in the world.
extension SummaryPart {
  static let attemptCounts: Int64 = 100
  static let attemptReasons: Int64 = 101
  /// Launches that are too young; and of whole attempts the numbers of their reasons among `youngReasons`. 103 was all their times in one
  /// column; see `youngTimes`.
  static let youngLaunches: Int64 = 102
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
  /// What became of launches: of old ones the counts, and their looks one after another; of young ones that something bad came of three
  /// times each.
  static let launchCounts: Int64 = 116
  static let launchLooks: Int64 = 117
  static let harmedLaunches: Int64 = 118

  static let ofAttempts: Range<Int64> = 100..<120
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
      part(SummaryPart.youngReason, reasons),
      part(SummaryPart.youngReasons, words.flatMap { Int64(0).followed(by: $0) }),
    ]
    parts += SummaryPart.parts(young: young, release, group) + watched.columns.map { part($0.number, $0.values) }
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
      let reasons = Self.reasons(
        column(SummaryPart.youngReason), column(SummaryPart.youngReasons), vocabulary),
      let young = SummaryPart.young(column, reasons: reasons)
    else { return nil }
    guard let watched = OpenLaunches(column) else { return nil }
    (self.counts, self.watched) = (counts, watched)
    for (count, word) in words(column(SummaryPart.attemptReasons)) { self.counts.reasons[word] = Int(count) }
    (harm.delivery, harm.activation, self.young) = (delivery, activation, young)
    launches = (column(SummaryPart.youngLaunches) + columns.byHour(0)).map(YoungLaunch.init)
    let looks = (0..<6).map { column(SummaryPart.attemptLooks + $0) }
    guard columns[SummaryPart.attemptLooks] != nil else { return }
    harm.looks = AttemptHarm.Looks()
    harm.looks?.delivery = HarmLooks(stored: Array(looks[..<3]))
    harm.looks?.activation = HarmLooks(stored: Array(looks[3...]))
  }

  private static func reasons(_ reasons: [Int64], _ stored: [Int64], _ vocabulary: Vocabulary) -> [Int64?]? {
    let words = words(stored).map(\.word)
    let numbers = words.isEmpty ? [:] : Dictionary(vocabulary.names.map { ($1, $0) }, uniquingKeysWith: min)
    var found: [Int64?] = []
    for reason in reasons {
      guard reason != .max else {
        found.append(nil)
        continue
      }
      guard words.indices.contains(Int(reason)), let known = numbers[words[Int(reason)]] else { return nil }
      found.append(known)
    }
    return found
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
  fileprivate var stored: [Int64] { [start, failed, ready, ran, launch, rolledBack, crashed].map(\.rawValue) }

  /// What tells it from others: numbers of a reason may be several.
  func named(_ vocabulary: Vocabulary) -> Named {
    Named(times: stored, reason: reason.map(vocabulary.name))
  }

  struct Named: Hashable {
    var times: [Int64]
    var reason: String?
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
