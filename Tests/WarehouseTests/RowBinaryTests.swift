import Lifecycle
import Store
import Testing

@testable import Warehouse

struct RowBinaryTests {
  @Test func readsWhatItWrote() throws {
    var rows = RowWriter()
    rows.add(Int64.min)
    rows.add(UInt8(200))
    rows.add(String(repeating: "ä", count: 100))
    rows.add(0.1)
    rows.add([UInt8](repeating: 7, count: 20_000))
    var reader = RowReader(rows.bytes, "here")
    #expect(try reader.number(Int64.self) == .min)
    #expect(try reader.number(UInt8.self) == 200)
    #expect(try reader.text() == String(repeating: "ä", count: 100))
    #expect(try reader.real() == 0.1)
    #expect(try reader.nested().count == 20_000)
    #expect(reader.isAtEnd)
  }

  /// A wrong byte never reads past the end: hostile lengths included.
  @Test(arguments: [[], [3, 1, 2], [200], [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1], [5, 65]])
  func whatBreaksOffIsAnError(_ bytes: [UInt8]) {
    #expect(throws: StoreError.self) {
      var reader = RowReader(bytes, "here")
      _ = try reader.text()
    }
  }

  @Test func documentsAreReadAgain() throws {
    let publication = Publication(
      app: "a", release: ReleaseLabel(rawValue: "2.0"), channel: "beta", platform: nil,
      publishedAt: Timestamp(rawValue: 5), rollout: [RolloutStep(at: Timestamp(rawValue: 5), percent: 12.5)],
      mandatory: true)
    let sighting = Sighting(
      channel: "beta", platform: "ios", firstAt: Timestamp(rawValue: 7), firstSubjectAt: nil)
    let record = ReleaseRecord(
      id: 1, app: "a", label: ReleaseLabel(rawValue: "2.0"), publications: [publication], sightings: [sighting])
    let lag = ArrivalLag(app: "a", day: 20_000, seconds: -1, events: 3)
    let change = ChangedPublication(PublicationPlace(publication), at: Timestamp(rawValue: 9))
    let impossible = ImpossibleAtNode(app: "a", node: 7, devices: [.inADay: 2, .inAMinute: 1], of: 1600)
    let bodies = NodeDocuments(Vocabulary(releases: [record], lags: [lag]), [change], [impossible]).bodies
    #expect(Set(bodies.keys) == ["publications", "changes", "sightings", "impossible", "lags 20000"])
    #expect(try NodeDocuments.readImpossible(bodies["impossible"] ?? [], 7, "") == [impossible])
    #expect(try NodeDocuments.readChanges(bodies["changes"] ?? [], "") == [change])
    #expect(try NodeDocuments.readPublications(bodies["publications"] ?? [], "") == [publication])
    #expect(try NodeDocuments.readSightings(bodies["sightings"] ?? [], "").map(\.sighting) == [sighting])
    #expect(try NodeDocuments.readLags(bodies["lags 20000"] ?? [], 20_000, "") == [lag])
    #expect(NodeDocuments.day("lags 20000") == 20_000)
  }
}
