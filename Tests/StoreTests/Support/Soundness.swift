import Foundation
import Lifecycle
import Testing

@testable import Store

/// What everything comes down to: a database tells what one would that never held anything but these events, each once.
func expectHolds(
  _ path: String, _ batches: [EventBatch], _ comment: Comment = "", sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let scratch = try Scratch()
  try store(batches, in: scratch.database)
  #expect(try told(path) == told(scratch.database), comment, sourceLocation: sourceLocation)
  #expect(try lags(path) == lags(scratch.database), comment, sourceLocation: sourceLocation)
}

/// As `uptake doctor --full` sees it: nothing fails.
///
/// - Parameter check: of damage that nobody can tell from what was stored, such as another time.
func expectSound(
  _ path: String, besides check: String? = nil, _ comment: Comment = "",
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let examination = Examination(path: path, now: Timestamp(rawValue: 2_000_000_000_000), isFull: true)
  let failed = examination.findings().filter { $0.verdict == .fail && $0.check != check }.map {
    "\($0.check): \($0.found)"
  }
  #expect(failed == [], comment, sourceLocation: sourceLocation)
}

/// Every row of the event table with its number, as it is stored.
func rows(_ path: String, _ sql: StaticString = "SELECT * FROM event ORDER BY seq") throws -> [String] {
  try Connection(path: path, mode: .read).prepare(sql).rows { row in
    (0..<16).map { row.optionalText($0) ?? "-" }.joined(separator: " ")
  }
}

/// Below a folder, the files that hold the bytes of a device's hash, as any file of ours would write it.
func traces(of device: DeviceHash, in folder: String) throws -> [String] {
  let little = withUnsafeBytes(of: device.rawValue.littleEndian) { Data($0) }
  let ordered = withUnsafeBytes(of: JourneyShard.ordered(device.rawValue).littleEndian) { Data($0) }
  let hash = device.rawValue
  let asRowID = (0..<8).map { UInt8(truncatingIfNeeded: hash >> UInt64(57 - $0 * 7)) | 128 } + [UInt8(hash & 255)]
  let patterns = [little, Data(little.reversed()), ordered, Data(ordered.reversed()), Data(asRowID)]
  let names = FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []
  return names.sorted().filter { name in
    guard let bytes = FileManager.default.contents(atPath: folder + "/" + name) else { return false }
    return patterns.contains { bytes.range(of: $0) != nil }
  }
}

func files(_ folder: String) throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }

func write(_ bytes: [UInt8], to path: String) throws { try Data(bytes).write(to: URL(filePath: path)) }

func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }
