import Console
import Foundation
import Ingest
import Lifecycle
import Query
import Store
import Testing

@testable import Answers

/// Whatever page of a file is gone, zeroed or another, were it by a bit: each question has an error or the right answer, and no trap.
/// No page is exempt: what no question reads changes no answer.
struct DamagedPageTests {
  private static let pageSize = 16_384
  private static let whole = Result { try WholeFile() }

  /// All pages in the soak; a sample, another for each kind of damage, in every run.
  private static let places: [Place] = {
    let isSoak = ProcessInfo.processInfo.environment["UPTAKE_SOAK"] == "1"
    let pages = (try? whole.get().bytes.count).map { $0 / pageSize } ?? 1
    let step = isSoak ? 1 : 10
    return Damage.allCases.enumerated().flatMap { number, damage in
      stride(from: isSoak ? 0 : number % step, to: pages, by: step).map { Place(page: $0, damage: damage) }
    }
  }()

  enum Damage: String, CaseIterable {
    case zeroed, cut, otherHead, otherBytes, otherBit, endZeroed, startZeroed, anotherPage
  }
  struct Place: Sendable, CustomTestStringConvertible {
    var page: Int
    var damage: Damage
    var testDescription: String { "page \(page + 1) \(damage)" }
  }

  @Test(arguments: places) func noWrongAnswer(_ place: Place) throws {
    let whole = try Self.whole.get()
    let path = whole.folder + "/\(UUID().uuidString).db"
    defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
    try Data(damaged(whole.bytes, place)).write(to: URL(filePath: path))
    for (words, right) in zip(WholeFile.lines, whole.answers) {
      guard let answer = try answer(words, path) else { continue }
      #expect(answer == right, "\(words) of \(place.testDescription): \(answer.prefix(300))")
    }
  }

  /// nil for an error of the database; nothing else may be thrown.
  private func answer(_ words: [String], _ path: String) throws -> String? {
    do { return try ask(words, Snapshot(path: path)) } catch {
      #expect(Failure(explaining: error) != nil, "\(words): \(error)")
      return nil
    }
  }

  private func damaged(_ bytes: [UInt8], _ place: Place) -> [UInt8] {
    let start = place.page * Self.pageSize
    var bytes = bytes
    switch place.damage {
    case .cut: bytes.removeSubrange(start...)
    case .zeroed: for index in start..<start + Self.pageSize { bytes[index] = 0 }
    // Of a page of a tree; of one in a chain, what follows it.
    case .otherHead: for index in start..<start + 4 { bytes[index] ^= 0xff }
    case .otherBytes:
      for step in 1...8 { bytes[start + step * 1999] ^= UInt8(truncatingIfNeeded: 1 << (place.page + step) % 8) }
    case .otherBit: bytes[start + place.page * 7919 % Self.pageSize] ^= UInt8(truncatingIfNeeded: 1 << place.page % 8)
    // Sectors that were never written, the checksum among them.
    case .endZeroed: for index in start + Self.pageSize - 4096..<start + Self.pageSize { bytes[index] = 0 }
    case .startZeroed: for index in start..<start + 512 { bytes[index] = 0 }
    case .anotherPage:
      let other = (place.page + 1) * Self.pageSize % bytes.count
      bytes.replaceSubrange(start..<start + Self.pageSize, with: Array(bytes[other..<other + Self.pageSize]))
    }
    return bytes
  }
}

/// A file with what a file can hold: shards, summaries, sorted events, events that nobody has looked at, and values of several pages.
private final class WholeFile: Sendable {
  static let lines: [[String]] = [
    ["verdict"], ["releases"], ["adoption", "2.0"], ["reach", "2.0"], ["time-to-update", "2.0"],
    ["compare", "2.0", "1.0"],
    ["mechanisms", "2.0"], ["failures", "2.0"], ["suspects", "2.0"], ["forecast", "2.0"], ["funnel", "2.0"], ["push"],
    ["wakeups"],
    ["channels"],
    ["breadcrumbs", "d0"], ["devices", "2.0", "--at", "ready"], ["diagnose", "2.0"],
  ].map { $0 + ["--now", "2025-11-30T00:00:00Z"] }

  /// Its folder goes with it.
  private let database: Database
  let folder: String
  let bytes: [UInt8]
  /// nil where the whole file has an error, too.
  let answers: [String?]

  init() throws {
    let database = try Database()
    let log = try EventLog(path: database.path)
    func store(_ lines: [String]) throws {
      let decoded = NativeDecoder(keys: log.identityKeys).decode(
        Array(lines.joined(separator: "\n").utf8).span.bytes, as: .ndjson,
        .file(app: "a", now: Timestamp(rawValue: 1_800_000_000_000)))
      _ = try log.append([decoded.batch])
    }
    try store(Self.contacts(0..<9000))
    try log.foldAll()
    try Summary.refresh(path: database.path)
    try store(Self.contacts(9000..<11_000))
    try log.sort()
    try store(Self.contacts(11_000..<11_050))
    try log.shrink()
    bytes = Array(try Data(contentsOf: URL(filePath: database.path)))
    answers = Self.lines.map { words in try? ask(words, Snapshot(path: database.path)) }
    folder = database.folder
    self.database = database
  }

  /// Of a device that goes from channel to channel, so that its runs fill several pages, and meets a push now and then.
  private static func contacts(_ numbers: Range<Int>) -> [String] {
    numbers.map { number in
      let channel = number % 2 == 0 ? "production" : "beta"
      let at = Timestamp(rawValue: 1_740_988_800_000 + Int64(number) * 1_800_000).rfc3339
      let stage = number % 40 == 0 ? "pushReceived" : "check"
      return #"{"device":"d0","stage":"\#(stage)","release":"1.0","channel":"\#(channel)","at":"\#(at)"}"#
    }
  }
}
