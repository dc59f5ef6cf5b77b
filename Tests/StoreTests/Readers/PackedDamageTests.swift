import Lifecycle
import Testing

@testable import Store

/// A damaged packed shard is an error that names its table and row, whoever reads it: never an empty answer, never the end
/// of the program.
@Suite struct PackedDamageTests {
  let scratch: Scratch
  let fleet = SmallFleet(400, seed: 71, shard: 5)
  init() throws {
    scratch = try Scratch()
    try store([fleet.part(0..<300)], in: scratch.database)
    let log = try EventLog(path: scratch.database)
    _ = try log.append([fleet.part(300..<400)])
    try log.sort()
    try log.merge(RecentLimit(leastSettled: 0, share: 0))
  }

  struct Place: Sendable, CustomStringConvertible {
    var table: String
    var part: Int64
    var description: String { "\(table) \(part)" }
  }

  static let places: [Place] =
    [0, 1, 7, 100].map { Place(table: "journey", part: $0) }
    + ([Int64](0...15) + [17, 18]).map { Place(table: "device", part: $0) }
    + (20...24).map { Place(table: "device", part: $0) }
    + (0...8).map { Place(table: "wake", part: $0) } + (0...2).map { Place(table: "trail", part: $0) }

  /// A scan that does not ask for reasons and buckets has nothing to do with these.
  private static let notInLeanScans: Set = ["journey 100", "device 9"]
  /// Nor does one that reads spans ask when devices were heard of last.
  private static let notInScans: Set = ["device 18"]

  private static func reads(_ name: String, _ place: Place) -> Bool {
    if name.hasSuffix("scan"), notInScans.contains("\(place)") { return false }
    return name != "lean scan" || !notInLeanScans.contains("\(place)")
  }

  /// What reads a table, in every way there is.
  private func readers(_ table: String) -> [(name: String, read: () throws -> Void)] {
    let (path, fleet) = (scratch.database, fleet)
    let (start, end) = (Timestamp(rawValue: SmallFleet.start), Timestamp(rawValue: fleet.end))
    func releases() throws -> Set<Int64> { Set(try Snapshot(path: path).vocabulary.releases.map(\.id)) }
    let walk = { _ = try Snapshot(path: path).walk(app: "a", releases: releases()) { _, _ in } }
    func scan(_ columns: JourneyColumns, _ devices: DeviceColumns) throws {
      let journeys = Dictionary(uniqueKeysWithValues: try releases().map { ($0, columns) })
      let need = Need(app: "a", .everybody, journeys: journeys, devices: devices, wakes: .init(from: start, until: end))
      _ = try Snapshot(path: path).scan(need, start: { 0 }) { _, page in
        var wakes = page.wakes
        while wakes.next() != nil {}
        _ = try page.runs()
      }
    }
    let whole = { try scan(.all, [.buckets, .runs]) }
    let lean = { try scan(JourneyColumns(Milestone.allCases), []) }
    let trail = {
      for device in fleet.devices {
        _ = try Snapshot(path: path).trail(of: device, app: "a", limit: 10)
        _ = try Snapshot(path: path).page(of: device, app: "a")
      }
    }
    let fold = {
      let log = try EventLog(path: path)
      _ = try log.append([SmallFleet(400, seed: 71, name: 1, shard: 5).batch])
      _ = try log.foldAll()
    }
    let forget = { _ = try EventLog(path: path).forget(fleet.devices, now: end) }
    switch table {
    case "trail": return [("trail", trail), ("forget", forget), ("fold", fold)]
    case "wake": return [("lean scan", lean), ("page", trail), ("forget", forget), ("fold", fold)]
    default:
      return [
        ("walk", walk), ("whole scan", whole), ("lean scan", lean), ("forget", forget), ("fold", fold),
      ]
    }
  }

  private func expectTold(_ place: Place, _ change: (inout [UInt8]) -> Void) throws {
    let connection = try Connection(path: scratch.database, mode: .write)
    let select: StaticString =
      switch place.table {
      case "journey": "SELECT rowid, packed FROM journey WHERE part = ?"
      case "device": "SELECT rowid, packed FROM device WHERE part = ?"
      case "wake": "SELECT rowid, packed FROM wake WHERE part = ?"
      default: "SELECT rowid, packed FROM trail WHERE part = ?"
      }
    let update: StaticString =
      switch place.table {
      case "journey": "UPDATE journey SET packed = ? WHERE rowid = ?"
      case "device": "UPDATE device SET packed = ? WHERE rowid = ?"
      case "wake": "UPDATE wake SET packed = ? WHERE rowid = ?"
      default: "UPDATE trail SET packed = ? WHERE rowid = ?"
      }
    let found = try connection.prepare(select).rows(.integer(place.part)) { ($0.integer(0), $0.blob(1)) }
    try #require(!found.isEmpty)
    for (row, whole) in found {
      var bytes = whole
      change(&bytes)
      guard bytes != whole else { continue }
      try connection.prepare(update).run(.blob(bytes), .integer(row))
    }
    expectRefused(place)
  }

  private func expectRefused(_ place: Place) {
    for (name, read) in readers(place.table) where Self.reads(name, place) {
      #expect("\(name) of \(place)") {
        try read()
      } throws: { error in
        guard let error = error as? StoreError, error.kind == .corrupt else { return false }
        return error.reason.hasPrefix("table \(place.table), ") && "\(error.hint)".contains("salvage")
      }
    }
  }

  @Test(arguments: places) func cutShort(_ place: Place) throws { try expectTold(place) { _ = $0.popLast() } }

  @Test(arguments: places) func empty(_ place: Place) throws { try expectTold(place) { $0 = [] } }

  @Test(arguments: places) func ofNoKnownForm(_ place: Place) throws { try expectTold(place) { $0[0] = 7 } }

  /// The count says more than there is, and the bytes are there.
  @Test(arguments: places) func longer(_ place: Place) throws {
    try expectTold(place) { bytes in
      guard bytes[0] == 0 else {
        bytes.removeLast()
        return
      }
      bytes[1] += 1
      bytes += repeatElement(0, count: Int(bytes[13]))
    }
  }

  /// Numbers that lead out of other columns, or that no time can be: a sector of ones.
  @Test(
    arguments: places.filter {
      ["device 1", "device 2", "device 6", "device 4", "device 11", "wake 1", "wake 3", "trail 1"].contains("\($0)")
    })
  func allOnes(_ place: Place) throws {
    try expectTold(place) { bytes in for index in 14..<bytes.count { bytes[index] = 0xff } }
  }

  /// A sector of zeros where hashes lie: the same device again and again.
  @Test(arguments: places.filter { $0.part == 0 }) func zeroedHashes(_ place: Place) throws {
    try expectTold(place) { bytes in
      guard bytes.count > 14 + Int(bytes[13]) else { return }
      for index in 14..<bytes.count { bytes[index] = 0 }
    }
  }

  /// Without what devices run by their outlines, which earlier programs wrote in another place, their contact runs are read.
  private static let spare: Set = ["device 17", "device 18"]

  @Test(arguments: places.filter { ($0.table != "journey" || $0.part == 0) && !spare.contains("\($0)") })
  func missing(_ place: Place) throws {
    let connection = try Connection(path: scratch.database, mode: .write)
    for delete in [
      "DELETE FROM journey WHERE part = ?", "DELETE FROM device WHERE part = ?", "DELETE FROM wake WHERE part = ?",
      "DELETE FROM trail WHERE part = ?",
    ] as [StaticString] where delete.description.contains(" \(place.table) ") {
      try connection.prepare(delete).run(.integer(place.part))
    }
    expectRefused(place)
  }

  /// Whatever byte is another: an answer or an error, and the program goes on.
  @Test(arguments: 1...24 as ClosedRange<UInt64>) func anyByteMayBeAnother(_ seed: UInt64) throws {
    var dice = Dice(state: seed)
    let connection = try Connection(path: scratch.database, mode: .write)
    for (select, update) in [
      ("SELECT rowid, packed FROM journey", "UPDATE journey SET packed = ? WHERE rowid = ?"),
      ("SELECT rowid, packed FROM device", "UPDATE device SET packed = ? WHERE rowid = ?"),
      ("SELECT rowid, packed FROM wake", "UPDATE wake SET packed = ? WHERE rowid = ?"),
      ("SELECT rowid, packed FROM trail", "UPDATE trail SET packed = ? WHERE rowid = ?"),
    ] as [(StaticString, StaticString)] {
      var rows = try connection.prepare(select).rows { ($0.integer(0), $0.blob(1)) }
      rows.shuffle(using: &dice)
      for (row, whole) in rows.prefix(1) {
        var bytes = whole
        bytes[Int.random(in: bytes.indices, using: &dice)] =
          seed % 2 == 0 ? 0xff : UInt8.random(in: 0...255, using: &dice)
        try connection.prepare(update).run(.blob(bytes), .integer(row))
      }
    }
    for table in ["journey", "wake", "trail"] {
      for (name, read) in readers(table) where name != "fold" && name != "forget" {
        do { try read() } catch { #expect((error as? StoreError)?.kind == .corrupt, "\(name): \(error)") }
      }
    }
    for (_, read) in readers("trail").suffix(2) {
      do { try read() } catch { #expect((error as? StoreError)?.kind == .corrupt, "\(error)") }
    }
  }

  /// A damaged summary is no answer either.
  @Test func aSummaryThatIsDamaged() throws {
    let state = SummaryState(
      folded: 400, since: Timestamp(rawValue: 0), until: Timestamp(rawValue: 1), dataThrough: nil, ground: "")
    let part = SummaryPart(release: 0, channel: "beta", platform: "", number: 1, values: [1, 2, 3])
    let generation = try Snapshot(path: scratch.database).generation()
    try SummaryWriter(path: scratch.database).store(state, [part], app: "a", generation: generation)
    #expect(try Snapshot(path: scratch.database).summary(app: "a", release: 0, 0..<9).map(\.values) == [[1, 2, 3]])
    try Connection(path: scratch.database, mode: .write).execute("UPDATE summary SET packed = substr(packed, 1, 15)")
    #expect {
      try Snapshot(path: scratch.database).summary(app: "a", release: 0, 0..<9)
    } throws: { ($0 as? StoreError)?.reason.hasPrefix("table summary, ") ?? false }
  }
}
