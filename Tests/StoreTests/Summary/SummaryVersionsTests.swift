import Dispatch
import Glibc
import Lifecycle
import Locks
import Testing

@testable import Store

/// A summary is written in small transactions, and is in force all at once or not at all.
@Suite struct SummaryVersionsTests {
  let scratch: Scratch
  init() throws {
    scratch = try Scratch()
    try store([SmallFleet(100, seed: 95).part(0..<100)], in: scratch.database)
  }

  /// What a summary says, by release, channel and number.
  private typealias Told = [String: [Int64]]

  private func state(_ ground: String) -> SummaryState {
    SummaryState(
      folded: 100, since: Timestamp(rawValue: 1), until: Timestamp(rawValue: 2), dataThrough: nil, ground: ground)
  }

  private func parts(_ told: Told) -> [SummaryPart] {
    told.map { name, values in
      let words = name.split(separator: " ")
      return SummaryPart(
        release: Int64(words[0]) ?? 0, channel: String(words[1]), platform: "ios", number: Int64(words[2]) ?? 0,
        values: values)
    }
  }

  /// - Parameter kind: whose columns.
  private func read(_ kind: SummaryKind = .whole) throws -> Told? {
    let snapshot = try Snapshot(path: scratch.database)
    guard try snapshot.earlierSummaryState(app: "a", kind) != nil else { return nil }
    let parts = try snapshot.summary(app: "a", releases: [0, 1, 2], 0..<Int64.max, kind) ?? []
    return Dictionary(uniqueKeysWithValues: parts.map { ("\($0.release) \($0.channel) \($0.number)", $0.values) })
  }

  private func put(_ told: Told, _ kind: SummaryKind = .whole) throws {
    let generation = try Snapshot(path: scratch.database).generation()
    try SummaryWriter(path: scratch.database).store(state("g"), parts(told), app: "a", generation: generation, as: kind)
  }

  /// Some columns are large enough for a transaction of their own.
  private func told(_ dice: inout Dice) -> Told {
    var told: Told = [:]
    for release in 0..<3 {
      for channel in ["beta", "production"] {
        for number in [1, 2, 1100] where Bool.random(using: &dice) {
          let count = Int.random(in: 0..<4, using: &dice) == 0 ? 80_000 : 3
          told["\(release) \(channel) \(number)"] =
            [Int64](repeating: Int64.random(in: 0..<4, using: &dice), count: count) + [.max / 3]
        }
      }
    }
    return told
  }

  /// Whatever interrupts one, the one before is told, and nothing of it in the next ones.
  @Test(arguments: 1...8 as ClosedRange<UInt64>) func wholeOrNotAtAll(_ seed: UInt64) throws {
    var dice = Dice(state: seed)
    let breaker = try Connection(path: scratch.database, mode: .write)
    var (known, interrupted, written) = ([SummaryKind: Told](), 0, 0)
    for _ in 0..<30 {
      let kind = Bool.random(using: &dice) ? SummaryKind.whole : .open
      let next = Int.random(in: 0..<5, using: &dice) == 0 ? known[kind] ?? [:] : told(&dice)
      try breaker.execute(
        """
        CREATE TRIGGER stop BEFORE INSERT ON summary WHEN NEW.part >> 32 = 2 AND NEW.release = 1
        BEGIN SELECT RAISE(ABORT, 'no'); END
        """)
      let stops = Bool.random(using: &dice)
      if !stops { try breaker.execute("DROP TRIGGER stop") }
      do {
        try put(next, kind)
        known[kind] = next
        written += 1
      } catch { interrupted += 1 }
      if stops { try breaker.execute("DROP TRIGGER stop") }
      for kind in [SummaryKind.whole, .open] { #expect(try read(kind) == known[kind]) }
    }
    #expect(interrupted > 2 && written > 10, "\(interrupted) of \(written)")
    // Two versions of a column at most, and one that is no more is gone with the summary after.
    for kind in [SummaryKind.whole, .open] {
      try put([:], kind)
      try put([:], kind)
    }
    #expect(try count(scratch.database, "SELECT count(*) FROM summary WHERE app <> 0") == 0)
  }

  @Test func noMoreThanTwoVersionsStay() throws {
    for turn in 0..<6 { try put(["1 beta 1": [Int64(turn)], "1 beta 2": [7]]) }
    #expect(try count(scratch.database, "SELECT count(*) FROM summary WHERE app <> 0") == 3)
    try put(["1 beta 1": [5], "1 beta 2": [7]])
    #expect(try count(scratch.database, "SELECT count(*) FROM summary WHERE app <> 0") == 2)
    #expect(try read() == ["1 beta 1": [5], "1 beta 2": [7]])
  }

  /// Who begins later is stored, the other not, whatever both have written.
  @Test(arguments: [0, 1, 2]) func ofTwoTheLaterIsStored(_ written: Int) throws {
    try put(["1 beta 1": [1], "1 beta 2": [1], "1 beta 3": [1]])
    let generation = try Snapshot(path: scratch.database).generation()
    let first = try SummaryWriter(path: scratch.database)
    let second = try SummaryWriter(path: scratch.database)
    let turn = try #require(try first.begin(state("first"), app: "a", generation: generation, as: .whole))
    let changes = try first.changes(parts(["1 beta 1": [2], "1 beta 2": [2], "1 beta 4": [2]]), turn)
    #expect(changes.count == 4)
    #expect(try first.write(changes[..<written], turn))
    #expect(try read() == ["1 beta 1": [1], "1 beta 2": [1], "1 beta 3": [1]])
    try second.store(
      state("second"), parts(["1 beta 1": [3], "1 beta 2": [1], "1 beta 3": [1]]), app: "a", generation: generation)
    #expect(try !first.write(changes[written...], turn, last: state("first")))
    #expect(try read() == ["1 beta 1": [3], "1 beta 2": [1], "1 beta 3": [1]])
    #expect(try Snapshot(path: scratch.database).summaryState(app: "a")?.ground == "second")
  }

  /// Nothing that was counted before it comes after it.
  @Test func whatIsForgottenMeanwhileEndsIt() throws {
    let generation = try Snapshot(path: scratch.database).generation()
    let writer = try SummaryWriter(path: scratch.database)
    let turn = try #require(try writer.begin(state("g"), app: "a", generation: generation, as: .whole))
    let changes = try writer.changes(parts(["1 beta 1": [2], "1 beta 2": [2]]), turn)
    #expect(try writer.write(changes[..<1], turn))
    let device = SmallFleet(100, seed: 95).devices[0]
    _ = try EventLog(path: scratch.database).forget([device], now: Timestamp(rawValue: SmallFleet(100, seed: 95).end))
    #expect(try !writer.write(changes[1...], turn))
    #expect(try read() == nil)
    #expect(try count(scratch.database, "SELECT count(*) FROM summary WHERE app <> 0") == 0)
  }

  /// Columns of a program that knew no versions are none, and go with the next summary; amid that nobody takes them for whole.
  @Test func whatHasNoVersionIsNone() throws {
    try Connection(path: scratch.database, mode: .write).execute(
      """
      INSERT INTO summary_state SELECT id, 100, 1, 2, NULL, 'g' FROM name WHERE text = 'a';
      INSERT INTO summary SELECT app, 1, 'beta', 'ios', value, x'00' FROM summary_state, (SELECT 1 AS value UNION SELECT 9)
      """)
    #expect(try read() == nil)
    let generation = try Snapshot(path: scratch.database).generation()
    let writer = try SummaryWriter(path: scratch.database)
    _ = try writer.begin(state("g"), app: "a", generation: generation, as: .whole)
    #expect(try count(scratch.database, "SELECT count(*) FROM summary_state") == 0)
    try put(["1 beta 2": [7]])
    #expect(try read() == ["1 beta 2": [7]])
    #expect(try count(scratch.database, "SELECT count(*) FROM summary WHERE app <> 0") == 1)
  }

  /// A merge that goes beyond its last event makes it useless: nothing more is written.
  @Test func whatCanBeToldNoMoreEndsIt() throws {
    let generation = try Snapshot(path: scratch.database).generation()
    let writer = try SummaryWriter(path: scratch.database)
    let turn = try #require(try writer.begin(state("g"), app: "a", generation: generation, as: .whole))
    let changes = try writer.changes(parts(["1 beta 1": [2], "1 beta 2": [2]]), turn)
    #expect(try writer.write(changes[..<1], turn))
    let log = try EventLog(path: scratch.database)
    _ = try log.append([SmallFleet(150, seed: 95).part(100..<150)])
    try log.foldAll()
    #expect(try !writer.write(changes[1...], turn, last: state("g")))
    #expect(try read() == nil)
  }

  private func large(_ round: Int) -> Told {
    var dice = Dice(state: 3 + UInt64(round))
    var large: Told = [:]
    for number in 0..<24 {
      large["1 beta \(number)"] = (0..<40_000).map { _ in Int64.random(in: 0..<Int64.max, using: &dice) }
    }
    return large
  }

  /// Keeps a large summary, and does the other again and again once the first part is written, until the last is. Answers how often it
  /// was possible.
  private func keeping(
    _ round: Int = 0, _ other: @escaping @Sendable (borrowing Connection) throws -> Bool
  ) throws -> Int {
    let isDone = Lock(false)
    let count = Lock(0)
    let group = DispatchGroup()
    let path = scratch.database
    DispatchQueue.global().async(group: group) {
      guard let connection = try? Connection(path: path, mode: .write) else { return }
      while !isDone.withLock({ $0 }) {
        usleep(1000)
        guard (try? connection.integer("SELECT count(*) FROM summary WHERE app > 0")) ?? 0 > 0 else { continue }
        if (try? other(connection)) == true { count.withLock { $0 += 1 } }
      }
    }
    try Snapshot(path: path).keep(state("g"), parts(large(round)), app: "a")
    let counted = count.withLock { $0 }
    isDone.withLock { $0 = true }
    group.wait()
    #expect(try read() == large(round))
    return counted
  }

  /// On a busy machine the other may have few turns while one summary is written: of ten the most counts.
  @Test func eventsComeInBetween() throws {
    var most = 0
    for round in 0..<10 where most < 8 {
      let commits = try keeping(round) { connection in
        try connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES ('probe', 0)")
        return true
      }
      most = max(most, commits)
    }
    #expect(most >= 8, "\(most) commits while 24 columns were written")
  }

  /// Nothing that was read to make it keeps the log from beginning anew.
  /// On a busy machine one summary may be written before the other had its turn: ten are.
  @Test func theLogBeginsAnewBetween() throws {
    var times = 0
    for round in 0..<10 where times < 2 {
      times += try keeping(round) { connection in
        _ = try connection.moveLog()
        return try connection.beginLogAnew()
      }
    }
    #expect(times >= 2, "\(times) times while ten summaries of 24 columns were written")
  }
}
