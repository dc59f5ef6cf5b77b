import Foundation
import Lifecycle
import Query
import Store
import Testing

/// Counting until now adds what came after the cutoff and changes nothing before it.
struct NewestHoursTests {
  @Test func nothingChangesUpToTheCutoff() throws {
    let fleet = try SimulatedFleet.shared.get()
    let snapshot = try Snapshot(path: fleet.path)
    let label = ReleaseLabel(rawValue: "2.9.0")
    var chosen = try ReleaseScope(snapshot.vocabulary, app: nil, release: label, now: fleet.end)
    chosen.selection.channels = ["production"]
    chosen.selection.clock = .releaseAge
    let firm = try Adoption.answer(snapshot, chosen)
    chosen.selection.isProvisional = true
    let newest = try Adoption.answer(snapshot, chosen)
    #expect(firm.query.fields["cutOff"] != newest.query.fields["cutOff"])
    #expect(newest.query.fields["cutOff"] == .text(fleet.end.rfc3339))
    let (before, after) = (try #require(firm.data.first), try #require(newest.data.first))
    let known = before.curve.points
    #expect(known.count > 5 && after.curve.points.count >= known.count)
    for (one, other) in zip(known.dropLast(), after.curve.points) {
      #expect(one.seconds == other.seconds && one.value == other.value && one.lo == other.lo && one.hi == other.hi)
    }
    #expect(after.counts.events >= before.counts.events)
    let reach = try #require(try Reach.answer(snapshot, chosen).data.first)
    #expect(reach.at == fleet.end)
  }
}
