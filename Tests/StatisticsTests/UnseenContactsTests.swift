import Testing

@testable import Statistics

/// Contacts inside a stretch, placed by the gaps around the updates of the others.
@Suite struct UnseenContactsTests {
  private static let hour: Tick = 3600

  /// Gaps of 8 h: before a check that lies at 20 h the one before was at 12 h; before the end at 24 h
  /// it was at any time from 16 h on.
  @Test func liesByAGapBefore() {
    var unseen = UnseenContacts()
    unseen.add(gap: 8 * Self.hour, times: 40)
    unseen.add(.init(entry: 0, floor: 0, before: 20 * Self.hour, .update, cause: 2), times: 3)
    let placed = unseen.placed(among: PolledTimes())
    #expect(placed.count == 3 && placed.updates.count == 1)
    let bounds = placed.updates.keys.first
    #expect(bounds.map { abs($0.upTo - $0.after - 8 * Self.hour) < Self.hour } ?? false && bounds?.cause == 2)

    var waiting = UnseenContacts()
    waiting.add(gap: 8 * Self.hour)
    waiting.add(.init(entry: 0, floor: 0, before: 24 * Self.hour, .halt), times: 320)
    let ends = waiting.placed(among: PolledTimes()).watched.filter { $0.value < 0 }
    #expect(ends.values.reduce(0, +) == -320 && ends.keys.allSatisfy { (15 * Self.hour)...(25 * Self.hour) ~= $0 })
    let mean = ends.reduce(0) { $0 - $1.key * $1.value } / 320
    #expect(abs(mean - 20 * Self.hour) < Self.hour / 2)
  }

  /// Not before the device was watched, nor before an earlier contact; where no gap is known, within the day.
  @Test func isNoEarlierThanAContactThatIsKnown() {
    var unseen = UnseenContacts()
    unseen.add(.init(entry: 0, floor: 22 * Self.hour, before: 24 * Self.hour, .update), times: 5)
    let floor = PolledTimes.rounded(22 * Self.hour)
    #expect(unseen.placed(among: PolledTimes()).updates.keys.allSatisfy { $0.after == floor })
    var alone = UnseenContacts()
    alone.add(.init(entry: 0, floor: 0, before: 48 * Self.hour, .contact))
    #expect(alone.placed(among: PolledTimes()).watched[PolledTimes.rounded(24 * Self.hour)] == -1)
  }

  /// Who still waits after the end had the check before it early, the more so the faster devices update.
  @Test func liesEarlierTheGreaterTheHazard() {
    func mean(_ next: UnseenContacts.Next) -> Tick {
      var (seen, unseen) = (PolledTimes(), UnseenContacts())
      seen.add(entry: 0, after: 0, upTo: 20 * Self.hour, times: 300)
      unseen.add(gap: 24 * Self.hour)
      unseen.add(.init(entry: 0, floor: 0, before: 48 * Self.hour, next), times: 320)
      let ends = unseen.placed(among: seen).watched.filter { $0.value < 0 }
      return ends.reduce(0) { $0 - $1.key * $1.value } / 320
    }
    #expect(abs(mean(.halt) - 36 * Self.hour) < Self.hour && mean(.end) < mean(.halt) - Self.hour / 2)
  }

  @Test func addsUpInAnyOrderAndOutAgain() {
    var (one, other) = (UnseenContacts(), UnseenContacts())
    one.add(gap: Self.hour)
    one.add(.init(entry: 0, floor: 0, before: 9 * Self.hour, .end))
    other.add(gap: 5 * Self.hour, times: 2)
    other.add(.init(entry: 0, floor: 0, before: 7 * Self.hour, .update), times: 2)
    var (left, right) = (one, other)
    left.add(other)
    right.add(one)
    #expect(left == right)
    left.add(other, times: -1)
    #expect(left == one)
    // A silence that is longer than a stretch may have says nothing of what is within stretches.
    one.add(gap: 25 * Self.hour)
    #expect(left == one)
  }
}
