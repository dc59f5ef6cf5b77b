import CoverageStudy
import Foundation

/// What was studied so far: a file of fleets and one of populations, a JSON object a line.
struct Archive {
  private let folder: String

  init(folder: String) throws {
    self.folder = folder
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  private struct Population: Codable {
    var scenario: String
    var devices: Int
    var truths: Truths
  }

  /// Plays what is missing, and says so on standard error.
  func complete(_ scenario: StudyScenario, fleets: Int, population: Int) throws {
    if try populations()[scenario.name] == nil {
      say("\(scenario.name): a population of \(population)")
      let truths = try scenario.population(devices: population)
      try append(Population(scenario: scenario.name, devices: population, truths: truths), to: "populations")
    }
    let limit = try populations()[scenario.name].flatMap(StudyScenario.failureRate)
    let done = Set(try reports().filter { $0.scenario == scenario.name }.map(\.seed))
    for seed in 1...UInt64(max(fleets, 1)) where !done.contains(seed) {
      let began = ContinuousClock.now
      try append(try scenario.report(seed: seed, limit: limit), to: "fleets")
      say("\(scenario.name) \(seed): \(ContinuousClock.now - began)")
    }
  }

  func results() throws -> Results {
    var results = Results()
    results.reports = try reports()
    results.populations = try populations()
    return results
  }

  private func reports() throws -> [FleetReport] { try read("fleets") }

  private func populations() throws -> [String: Truths] {
    let all: [Population] = try read("populations")
    return Dictionary(all.map { ($0.scenario, $0.truths) }) { _, new in new }
  }

  private func file(_ name: String) -> String { "\(folder)/\(name).ndjson" }

  private func read<Item: Decodable>(_ name: String) throws -> [Item] {
    guard let data = FileManager.default.contents(atPath: file(name)) else { return [] }
    return try data.split(separator: UInt8(ascii: "\n")).map { try JSONDecoder().decode(Item.self, from: Data($0)) }
  }

  private func append(_ item: some Encodable, to name: String) throws {
    var bytes = try JSONEncoder().encode(item)
    bytes.append(UInt8(ascii: "\n"))
    if !FileManager.default.fileExists(atPath: file(name)) {
      _ = FileManager.default.createFile(atPath: file(name), contents: nil)
    }
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file(name)))
    defer { try? handle.close() }
    try handle.seekToEnd()
    try handle.write(contentsOf: bytes)
  }

  private func say(_ words: String) { FileHandle.standardError.write(Data((words + "\n").utf8)) }
}
