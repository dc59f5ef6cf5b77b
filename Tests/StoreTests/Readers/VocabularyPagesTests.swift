import Lifecycle
import Testing

@testable import Store

/// Profiles and contexts that lie in pages are those of the rows.
@Suite struct VocabularyPagesTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  /// More than two pages, nearly each a profile of its own; some devices say nothing.
  private static let devices = 2 * Int(VocabularyPages.rows) + 400

  private static func fleet(_ numbers: Range<Int>) -> EventBatch {
    var batch = EventBatch(received: Timestamp(rawValue: 1_709_540_000_500))
    batch.names.append("2.0.0")
    for number in numbers {
      var traits = DeviceTraits()
      traits[DeviceTraits.tag + "number"] = number % 97 == 0 ? nil : "\(number)"
      traits[DeviceTraits.region] = number % 3 == 0 ? "DE" : nil
      batch.contexts.append(
        Context(
          app: number % 2 == 0 ? "a" : "b", channel: number % 5 == 0 ? "beta" : "production",
          platform: number % 11 == 0 ? nil : "ios", appVersion: "1.\(number % 4)",
          network: number % 4 == 0 ? "wifi" : nil,
          emulator: number % 9 == 0 ? true : nil, traits: traits.text))
      batch.events.append(
        Event(
          at: Timestamp(rawValue: 1_709_540_000_000 + Int64(number)), device: hash(number),
          identity: UInt64(number + 1) &* 0xbf58_476d_1ce4_e5b9, context: UInt32(batch.contexts.count - 1),
          stage: .check,
          trigger: .foreground, release: NameIndex(rawValue: 1)))
    }
    return batch
  }

  private static func hash(_ number: Int) -> DeviceHash {
    DeviceHash(rawValue: UInt64(number + 1) &* 0x9e37_79b9_7f4a_7c15)
  }

  private struct Read: Equatable {
    var profiles: [Int64: DeviceProfile]
    var places: [String: [Set<String>]]
    var columns: [[String?]]
    var tags: [ProfileField]
    var origins: [String]
    var silent: [String?]
  }

  private func read() throws -> Read {
    let connection = try Connection(path: scratch.database, mode: .read)
    let (vocabulary, origins) = (try Vocabulary(connection), try Origins(connection))
    let table = ProfileTable(vocabulary)
    let newest = Int32(try connection.integer("SELECT max(id) FROM context"))
    return Read(
      profiles: vocabulary.profiles, places: vocabulary.places.mapValues { [$0.channels, $0.platforms] },
      columns: [
        table.platforms, table.versions, table.arms, table.column(.region).names, table.column(.tag("number")).names,
      ],
      tags: table.tags, origins: (0...newest + 1).map { "\(origins.origin($0) as Any)" }, silent: table.namedPlatforms)
  }

  private func withoutPages() throws {
    let connection = try Connection(path: scratch.database, mode: .write)
    try connection.execute("DELETE FROM summary WHERE app = 0")
  }

  private static let pages: StaticString = "SELECT count(DISTINCT part) FROM summary WHERE app = 0 AND release = 0"

  @Test func saysWhatTheRowsSay() throws {
    try store([Self.fleet(0..<Self.devices)], in: scratch.database)
    #expect(try count(scratch.database, Self.pages) == 2)
    let paged = try read()
    try withoutPages()
    #expect(try read() == paged)
    #expect(paged.profiles.count > Int(2 * VocabularyPages.rows) && paged.silent.first == .some(nil))
    #expect(paged.places["a"]?[0] == ["beta", "production"])
  }

  /// Pages grow with folds, and a device that is forgotten is in none.
  @Test func growsAndForgets() throws {
    try store([Self.fleet(0..<9000)], in: scratch.database)
    #expect(try count(scratch.database, Self.pages) == 1)
    let log = try EventLog(path: scratch.database)
    _ = try log.append([Self.fleet(9000..<Self.devices)])
    try log.foldAll()
    #expect(try count(scratch.database, Self.pages) == 2)
    _ = try log.forget([Self.hash(10)], now: Timestamp(rawValue: 1_709_640_000_000))
    #expect(try count(scratch.database, Self.pages) == 0)
    _ = try log.append([Self.fleet(Self.devices..<Self.devices + 10)])
    try log.foldAll()
    let paged = try read()
    #expect(
      try count(scratch.database, Self.pages) == 2 && !paged.profiles.values.contains { $0.traits == "tag:number=10" })
    try withoutPages()
    // A number that no profile has any more says nothing.
    let rows = try read()
    #expect(rows.columns == paged.columns && rows.places == paged.places && rows.origins == paged.origins)
    #expect(rows.profiles.allSatisfy { paged.profiles[$0.key] == $0.value })
  }
}
