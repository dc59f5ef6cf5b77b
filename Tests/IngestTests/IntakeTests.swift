import Dispatch
import Foundation
import Lifecycle
import Locks
import Store
import Testing

@testable import Ingest

/// Group commit: one answer each, after the disk; a full queue refuses and the books balance.
@Suite struct IntakeTests {
  let directory: String
  var path: String { directory + "/test.db" }

  init() throws {
    directory = NSTemporaryDirectory() + "uptake-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }

  private func batch(_ first: Int, _ count: Int) -> EventBatch {
    var batch = EventBatch(received: noon)
    batch.contexts = [Context(app: "a")]
    batch.events = (first..<(first + count)).map {
      Event(
        at: noon, device: DeviceHash(rawValue: UInt64($0)), identity: UInt64($0 + 1) &* 0x9e37_79b9_7f4a_7c15,
        context: 0,
        stage: .check, trigger: .unknown)
    }
    return batch
  }

  /// What every batch was told, in any order.
  private final class Answers: Sendable {
    private let list = Lock<[Result<Admitted, IntakeRefusal>]>([])
    private let semaphore = DispatchSemaphore(value: 0)
    func take(_ answer: Result<Admitted, IntakeRefusal>) {
      list.withLock { $0.append(answer) }
      semaphore.signal()
    }
    func wait(for count: Int) -> [Result<Admitted, IntakeRefusal>] {
      for _ in 0..<count { _ = semaphore.wait(timeout: .now() + 20) }
      return list.withLock { $0 }
    }
  }

  private func stored() throws -> Int {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/sqlite3")
    process.arguments = ["-readonly", path, "SELECT count(*) FROM event"]
    process.standardOutput = output
    try process.run()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  @Test func everyBatchIsAnsweredOnceAfterItIsStored() throws {
    let intake = Intake(log: try EventLog(path: path))
    let answers = Answers()
    for number in 0..<200 { intake.submit(batch(number * 3, 3), answers.take) }
    let told = answers.wait(for: 200)
    #expect(told == Array(repeating: .success(Admitted(accepted: 3, duplicate: 0)), count: 200))
    #expect(try stored() == 600)
    intake.drain()
    let snapshot = intake.metrics.batch.snapshot
    #expect(snapshot.sum == 600 && snapshot.count <= 200)
  }

  /// The disk is kept from answering: what does not fit is refused at once, what waits is stored later.
  @Test func aFullQueueRefusesAndTheBooksBalance() throws {
    let log = try EventLog(path: path)
    let intake = Intake(log: log, capacity: 100)
    let answers = Answers()
    let blocker = try Blocker(path)
    for number in 0..<30 { intake.submit(batch(number * 10, 10), answers.take) }
    let refused = answers.wait(for: 20).filter { $0 == .failure(.queueFull) }
    #expect(refused.count == 20 && intake.queuedEvents == 100)
    try blocker.release()
    let told = answers.wait(for: 10)
    #expect(told.filter { $0 == .success(Admitted(accepted: 10, duplicate: 0)) }.count == 10)
    #expect(try stored() == 100 && intake.queuedEvents == 0)
    // A batch that was refused is no duplicate when it comes again.
    intake.submit(batch(200, 100), answers.take)
    #expect(answers.wait(for: 1).last == .success(Admitted(accepted: 100, duplicate: 0)))
    intake.drain()
  }

  /// Two that came together are followed by others: these are stored together once nobody brings more, or it is to stop.
  @Test func whoBringsBatchesIsHeardOut() throws {
    let intake = Intake(log: try EventLog(path: path), patience: .seconds(600))
    let answers = Answers()
    let blocker = try Blocker(path)
    intake.submit(batch(0, 1), answers.take)
    Thread.sleep(forTimeInterval: 0.2)
    for number in 1..<3 { intake.submit(batch(number, 1), answers.take) }
    try blocker.release()
    #expect(answers.wait(for: 3).count == 3)
    let groups = intake.metrics.batch.snapshot.count
    for number in 3..<6 {
      intake.submit(batch(number, 1), answers.take)
      Thread.sleep(forTimeInterval: 0.05)
    }
    #expect(intake.queuedEvents == 3)
    intake.hurry()
    #expect(answers.wait(for: 3).count == 6 && intake.metrics.batch.snapshot.count == groups + 1)
    intake.submit(batch(6, 1), answers.take)
    intake.drain()
    #expect(answers.wait(for: 1).last == .success(Admitted(accepted: 1, duplicate: 0)))
  }

  /// Who never says that there is no more holds nobody up for longer than that.
  @Test func patienceEnds() throws {
    let intake = Intake(log: try EventLog(path: path), patience: .milliseconds(20))
    let answers = Answers()
    for number in 0..<100 { intake.submit(batch(number, 1), answers.take) }
    intake.submit(batch(100, 1), answers.take)
    #expect(answers.wait(for: 101).count == 101)
    intake.drain()
  }

  @Test func afterDrainingEverythingIsRefused() throws {
    let intake = Intake(log: try EventLog(path: path))
    let answers = Answers()
    intake.submit(batch(0, 1), answers.take)
    intake.drain()
    intake.submit(batch(1, 1), answers.take)
    #expect(Set(answers.wait(for: 2)) == [.success(Admitted(accepted: 1, duplicate: 0)), .failure(.stopping)])
  }

  /// Eight requests that SQLite itself refuses, whatever the reason, among fifty-six that it takes: these are stored once.
  @Test func whatCannotBeStoredTakesNoOtherRequestWithIt() throws {
    let log = try EventLog(path: path)
    try forbid("NEW.bytes = 666")
    let intake = Intake(log: log)
    let answers = (0..<64).map { _ in Answers() }
    let blocker = try Blocker(path)
    for number in 0..<64 {
      var batch = batch(number * 3, 3)
      batch.names = ["", "release \(number)"]
      batch.contexts[0].channel = "channel \(number)"
      for index in batch.events.indices { batch.events[index].release = NameIndex(rawValue: 1) }
      if number % 8 == 3 { batch.events[1].bytes = 666 }
      intake.submit(batch, answers[number].take)
    }
    try blocker.release()
    for number in 0..<64 {
      let told = answers[number].wait(for: 1)
      if number % 8 == 3 {
        guard case .failure(.store(let error)) = try #require(told.first) else { throw Unexpected(told: "\(told)") }
        #expect(error.blamesContent && error.reason == "poison")
      } else {
        #expect(told == [.success(Admitted(accepted: 3, duplicate: 0))], "\(number)")
      }
    }
    #expect(try stored() == 56 * 3 && intake.queuedEvents == 0)
    #expect(
      try sqlite("SELECT count(DISTINCT release), count(DISTINCT device), count(*) FROM v1_event") == "56|168|168")
    // The names of what failed are free: the same request without its fault is stored, under its own.
    let mended = Answers()
    intake.submit(batch(9, 3), mended.take)
    #expect(mended.wait(for: 1) == [.success(Admitted(accepted: 3, duplicate: 0))])
    intake.drain()
  }

  /// The database itself is broken: nobody's request is at fault, and the group is tried once.
  @Test func aFaultOfTheDatabaseIsNotDivided() throws {
    let log = try EventLog(path: path)
    try forbid("(SELECT count(*) FROM nowhere) > 0")
    let (intake, answers) = (Intake(log: log), Answers())
    let blocker = try Blocker(path)
    for number in 0..<64 { intake.submit(batch(number, 1), answers.take) }
    try blocker.release()
    let told = answers.wait(for: 64)
    // One group, or two where the first began with a single request; each answered with one error, never one by one.
    #expect(told.allSatisfy { if case .failure(.store(let error)) = $0 { !error.blamesContent } else { false } })
    #expect(try stored() == 0)
    intake.drain()
  }

  private struct Unexpected: Error { var told: String }

  /// Real refusals by SQLite: another program gives the table a rule.
  private func forbid(_ condition: String) throws {
    _ = try sqlite(
      "CREATE TRIGGER poison BEFORE INSERT ON event WHEN \(condition) BEGIN SELECT RAISE(FAIL, 'poison'); END")
  }

  private func sqlite(_ sql: String) throws -> String {
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(filePath: "/usr/bin/sqlite3")
    process.arguments = [path, sql]
    process.standardOutput = output
    try process.run()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Nobody sorts: at the bound a commit waits, then refuses, and what was refused can come again.
  @Test func aFullTailHoldsBackAndThenRefuses() throws {
    let log = try EventLog(path: path)
    let tail = TailRoom(log, limit: 10 * TailRoom.bytesPerEvent, patience: .seconds(1))
    let (intake, answers) = (Intake(log: log, tail: tail), Answers())
    func told(_ batch: EventBatch, while body: () -> Void = {}) -> Result<Admitted, IntakeRefusal>? {
      let before = answers.wait(for: 0).count
      intake.submit(batch, answers.take)
      body()
      return answers.wait(for: 1).dropFirst(before).first
    }
    #expect(told(batch(0, 10)) == .success(Admitted(accepted: 10, duplicate: 0)))
    #expect(tail.bytes == 480 && tail.isHalfFull)
    let start = ContinuousClock.now
    #expect(told(batch(10, 5)) == .failure(.tailFull))
    #expect(ContinuousClock.now - start >= .seconds(1), "it waits first")
    #expect(try stored() == 10 && intake.queuedEvents == 0)
    let later = told(batch(10, 5)) {
      Thread.sleep(forTimeInterval: 0.05)
      tail.note(sorted: 10)
    }
    #expect(later == .success(Admitted(accepted: 5, duplicate: 0)), "what is sorted meanwhile makes room")
    #expect(tail.bytes == 240 && intake.metrics.tailWait.snapshot.count == 3)
    tail.note(sorted: 5)
    #expect(told(batch(20, 1)) == .failure(.tailFull))
    tail.noteFailure()
    #expect(told(batch(20, 1)) == .success(Admitted(accepted: 1, duplicate: 0)), "waiting would gain nothing")
    tail.note(sorted: 0)
    intake.submit(batch(30, 1), answers.take)
    intake.drain()
    #expect(
      answers.wait(for: 1).last == .success(Admitted(accepted: 1, duplicate: 0)), "whoever stops stores what waits")
  }

  @Test func anEventLargerThanTheQueueStillGetsIn() throws {
    let intake = Intake(log: try EventLog(path: path), capacity: 5)
    let answers = Answers()
    intake.submit(batch(0, 50), answers.take)
    #expect(answers.wait(for: 1) == [.success(Admitted(accepted: 50, duplicate: 0))])
    intake.drain()
  }
}

/// Holds the database's write lock from another process until it is released.
private final class Blocker {
  private let process = Process()
  private let input = Pipe()

  init(_ path: String) throws {
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/sqlite3")
    process.arguments = [path]
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data("BEGIN IMMEDIATE; SELECT 'held';\n".utf8))
    _ = output.fileHandleForReading.availableData
  }

  func release() throws {
    try input.fileHandleForWriting.write(contentsOf: Data("COMMIT;\n.quit\n".utf8))
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
