import Lifecycle
import Store
import Testing

@testable import Warehouse

/// Which of several nodes' publications counts, and which are told apart.
struct PublicationOfNodesTests {
  private typealias Copy = PublicationOfNodes.Copy
  private typealias Rule = PublicationDifference.Rule
  private static let start = Timestamp(seconds: 1_710_900_000)

  /// - Parameter steps: percent and minutes after the publication.
  private static func copy(
    _ node: UInt64, _ steps: [(Double, Int64)]?, changed minutes: Int64?, isRetired: Bool = false
  ) -> Copy {
    let publication = steps.map { steps in
      Publication(
        app: "a", release: ReleaseLabel(rawValue: "2.0"), channel: "c", publishedAt: start,
        rollout: steps.map { RolloutStep(at: start + .minutes($0.1), percent: $0.0) })
    }
    return Copy(
      node: node, publication: publication, changedAt: minutes.map { $0 < 0 ? .never : start + .minutes($0) },
      isRetired: isRetired)
  }

  private static let open: [(Double, Int64)] = [(10, 0), (50, 60)]
  private static let halted = open + [(0, 90)]

  /// Node 1 has what a line says first, node 2 the rest.
  private static let rows: [(about: String, copies: [Copy], counts: UInt64, rule: Rule?)] = [
    ("alike", [copy(1, open, changed: 0), copy(2, open, changed: 0)], 2, nil),
    ("the later one", [copy(1, open, changed: 0), copy(2, open + [(90, 80)], changed: 80)], 2, .changedLast),
    ("halted, and registered again", [copy(1, halted, changed: 90), copy(2, open, changed: 100)], 1, .haltStands),
    (
      "halted, and widened", [copy(1, halted, changed: 90), copy(2, halted + [(90, 99)], changed: 99)], 2, .changedLast
    ),
    ("halted by one job", [copy(1, halted, changed: 90), copy(2, open + [(0, 91)], changed: 91)], 2, nil),
    (
      "halted an hour later", [copy(1, halted, changed: 90), copy(2, open + [(0, 150)], changed: 150)], 2, .changedLast
    ),
    (
      "halted an hour later, and widened",
      [copy(1, halted, changed: 90), copy(2, open + [(0, 150), (50, 160)], changed: 160)], 2, .changedLast
    ),
    ("a pause is only planned", [copy(1, halted, changed: 50), copy(2, open, changed: 60)], 2, .changedLast),
    (
      "one that is planned knows of no halt",
      [copy(1, halted, changed: 90), copy(2, open + [(0, 900)], changed: 100)], 1, .haltStands
    ),
    ("taken back", [copy(1, halted, changed: 90), copy(2, nil, changed: 100)], 2, .changedLast),
    ("changed before changes were noted", [copy(1, halted, changed: -1), copy(2, open, changed: 100)], 1, .haltStands),
    ("one does not tell", [copy(1, halted, changed: nil), copy(2, open, changed: 100)], 1, .undated),
    ("nor does it know", [copy(1, halted, changed: -1), copy(2, open, changed: -1)], 1, .undated),
    ("and is gone", [copy(1, halted, changed: nil, isRetired: true), copy(2, open, changed: 100)], 2, nil),
    ("all are gone", [copy(1, halted, changed: nil, isRetired: true)], 1, nil),
    (
      "its halt stands though it is gone",
      [copy(1, halted, changed: 90, isRetired: true), copy(2, open, changed: 100)], 1, .haltStands
    ),
  ]

  @Test(arguments: rows.indices) func oneCounts(_ index: Int) throws {
    let (about, copies, counts, rule) = Self.rows[index]
    for copies in [copies, copies.reversed()] {
      let found = try #require(PublicationOfNodes(copies))
      let place = PublicationPlace(app: "a", release: ReleaseLabel(rawValue: "2.0"), channel: "c", platform: nil)
      let difference = found.difference(place)
      #expect(difference?.rule == rule, "\(about)")
      if let difference { #expect(difference.node == counts, "\(about)") }
      #expect(found.publication == copies.first { $0.node == counts }?.publication, "\(about)")
    }
  }
}
