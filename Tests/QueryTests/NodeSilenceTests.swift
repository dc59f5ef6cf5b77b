import Lifecycle
import Store
import Testing

@testable import Query

@Suite struct NodeSilenceTests {
  private static let now = Timestamp(seconds: 1_710_900_000)

  /// With a batch at each of these many hours before now.
  private static func node(_ hours: [Double], retired: Double? = nil) -> ShippingNode {
    func before(_ hours: Double) -> Timestamp { now - Milliseconds(rawValue: Int64(hours * 3_600_000)) }
    return ShippingNode(
      number: 0xabc,
      hours: hours.sorted(by: >).map { .init(first: before($0), last: before($0), batches: 1, events: 100) },
      retiredAt: retired.map(before))
  }

  private static let always = (0..<72).map { Double($0) }
  /// Open from nine to five, five days a week.
  private static let office = (0..<28).filter { $0 % 7 < 5 }.flatMap { day in
    (0..<8).map { Double(day * 24 + $0) }
  }

  private static let outage = always.filter { $0 < 20 || $0 >= 50 }
  private static let daily = (0..<9).map { 24 * Double($0) }

  private static func late(_ hours: [Double], by delay: Double) -> ShippingNode { node(hours.map { $0 + delay }) }

  private static let rows: [(about: String, node: ShippingNode, isSilent: Bool)] = [
    ("it ships", node(always), false),
    ("an hour is short", late(always, by: 0.9), false),
    ("it shipped each hour, and then did not", late(always, by: 2.5), true),
    ("an outage before makes none usual", late(outage, by: 2.5), true),
    ("once a day", late(daily, by: 24.5), false),
    ("once a day, and yesterday not", late(daily, by: 25.5), true),
    ("a night", late(office, by: 16), false),
    ("a weekend", late(office, by: 64), false),
    ("longer than a weekend", late(office, by: 67), true),
    ("it shipped once", node([20]), false),
    ("long ago", node([26]), true),
    ("it was taken away", node([26], retired: 25), false),
    ("and shipped again", node([26], retired: 27), true),
  ]

  @Test(arguments: rows.indices) func silenceIsWhatIsNotUsual(_ index: Int) {
    let (about, node, isSilent) = Self.rows[index]
    #expect((NodeSilence(node, newest: Self.now, now: Self.now) != nil) == isSilent, "\(about)")
  }

  @Test func itSaysWhatIsMissing() throws {
    let node = Self.late(Self.always, by: 5)
    let alone = try #require(NodeSilence(node, newest: node.lastSent, now: Self.now))
    #expect(
      alone.words
        == "node abc shipped nothing for 5.0h, since 2024-03-19 21:00 UTC, longer than is usual for it; nor did any other; some 104 events an hour came from it before: what its devices said since is in no answer"
    )
    #expect(try #require(NodeSilence(node, newest: Self.now, now: Self.now)).words.contains("; others did; some 104"))
    #expect(NodeSilence.all([node, Self.node(Self.always)], now: Self.now).map(\.node) == [node])
  }
}
