import Foundation
import Statistics
import Testing

/// One published data set and what R says about it (Reference/*.csv and *.expected.json).
///
/// The files count hours, the tables here seconds, so that every instant of the files is a whole tick.
struct Reference: Sendable {
  static let ticksPerHour = 3600.0
  static let names = [
    "tiny_km", "tiny_half", "tiny_noevent", "tiny_allatonce", "tiny_cr", "tiny_groups", "tiny_lt",
    "tiny_lt_pathology", "mid_mix", "lung", "lung_cutoff", "lung_w28",
  ]
  /// Causes 1...3 are events; a newer release (4) censors.
  static let updates: CauseSet = [1, 2, 3]

  let name: String
  let rows: [Interval]
  let expected: Expected

  init(_ name: String) throws {
    self.name = name
    rows = try Self.text(name + ".csv").split(separator: "\n").dropFirst().map(Interval.init(line:))
    expected = try JSONDecoder().decode(Expected.self, from: Data(Self.text(name + ".expected.json").utf8))
  }

  /// "all" stands for every group.
  func table(_ group: String = "all", stratum: String? = nil) -> LifeTable {
    let chosen = rows.filter { (group == "all" || $0.group == group) && (stratum == nil || $0.stratum == stratum) }
    return LifeTable(intervals: chosen.map { ($0.entry, $0.exit, $0.ending) })
  }

  /// Tables by stratum, each with its groups in the order asked.
  func strata(_ groups: [String]) -> [[LifeTable]] {
    Set(rows.map(\.stratum)).sorted().map { stratum in groups.map { table($0, stratum: stratum) } }
  }

  static func text(_ file: String) throws -> String {
    let url = try #require(Bundle.module.url(forResource: "Reference/" + file, withExtension: nil))
    return try String(contentsOf: url, encoding: .utf8)
  }

  static func ticks(_ hours: Double) -> Tick { Tick((hours * ticksPerHour).rounded()) }
}

struct Interval: Sendable {
  let group: String
  let stratum: String
  let entry: Tick
  let exit: Tick
  let ending: Ending

  init(line: Substring) throws {
    let fields = line.split(separator: ",")
    group = String(fields[1])
    stratum = String(fields[2])
    entry = Reference.ticks(try #require(Double(fields[3])))
    exit = Reference.ticks(try #require(Double(fields[4])))
    ending = Cause(rawValue: try #require(UInt8(fields[5]))).map(Ending.event) ?? .censored(.cutOff)
  }
}
