import Foundation
import Lifecycle
import Query
import Store
import Testing

/// What devices run at the cut-off of the hand-made edge cases, as edge.expected.json has it.
@Suite struct ReachTests {
  struct Counts: Decodable {
    var reachable: Int
    var exactly: Int
    var orNewer: Int?
    var older: Int?
    enum CodingKeys: String, CodingKey {
      case reachable, older = "on_older", exactly = "on_2.0.0", orNewer = "on_2.0.0_or_newer"
    }
  }
  struct Expected: Decodable {
    struct Channels: Decodable {
      var production: Counts
      var beta: Counts
    }
    var reach_at_cutoff: Channels
  }

  @Test func edgeCasesAtTheCutOff() throws {
    let expected = try JSONDecoder().decode(Expected.self, from: reference("edge.expected.json")).reach_at_cutoff
    let releases = try ReferenceReleases("edge.releases.json")
    let fleet = try Fleet()
    try fleet.publish(releases.publications)
    try fleet.load(try referenceText("edge.events.ndjson"))
    let chosen = try fleet.chosen("2.0.0", now: try Timestamp(rfc3339: releases.cutoff)) { $0.by = [.channel] }
    let answer = try Reach.answer(try Snapshot(path: fleet.path), chosen)
    #expect(answer.data.map(\.group.channel) == ["beta", "production"])
    for (row, expected) in zip(answer.data, [expected.beta, expected.production]) {
      let month = row.windows[0]
      #expect((month.reachable, month.exactly.devices) == (expected.reachable, expected.exactly))
      if let orNewer = expected.orNewer { #expect(month.orNewer.devices == orNewer) }
      if let older = expected.older { #expect(month.older.devices == older) }
      #expect(month.exactly.devices + month.older.devices <= month.orNewer.devices + month.older.devices)
      #expect(month.orNewer.devices + month.older.devices + month.unknown.devices == month.reachable)
      #expect(row.running.reduce(0) { $0 + $1.devices } == month.reachable)
    }
  }
}
