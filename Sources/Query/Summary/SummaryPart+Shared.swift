import Lifecycle
import Statistics
import Store

/// What the same devices did with a release and with another one, of one segment: a number in each column for every two marks.
extension SummaryPart {
  /// The other release.
  static let sharedWith: Int64 = 86
  /// Marks, and when the clocks of those began that wait for a cutoff.
  static let firstMarks: Int64 = 87
  static let firstOrigins: Int64 = 88
  static let secondMarks: Int64 = 89
  static let secondOrigins: Int64 = 90
  static let sharedCounts: Int64 = 91
  static let ofShared = sharedWith..<sharedCounts + 1

  /// Both releases of each pair that was counted, one after another.
  static let paired: Int64 = 85

  static func paired(_ pairs: [ReleasePair]) -> SummaryPart {
    SummaryPart(0, Group(channel: ""), paired, pairs.flatMap { [$0.first, $0.second] })
  }

  /// - Parameter time: the cutoffs that may be put in.
  static func parts(
    _ shared: [OpenShared: Int], of pairs: [ReleasePair], _ group: Group, for time: ClosedRange<Timestamp>
  ) -> [SummaryPart] {
    let (first, last) = (time.lowerBound.rawValue, time.upperBound.rawValue)
    var counts: [OpenShared: Int] = [:]
    for (ends, count) in shared { counts[ends.settled(from: first, until: last), default: 0] += count }
    let all = counts.filter { $1 != 0 }.map { StoredShare(ends: $0, count: $1) }
    return Dictionary(grouping: all.sorted(), by: { pairs[$0.ends.pair].first }).sorted { $0.key < $1.key }
      .flatMap { release, own in
        func part(_ number: Int64, _ value: (StoredShare) -> Int64) -> SummaryPart {
          SummaryPart(release, group, number, own.map(value))
        }
        return [
          part(sharedWith) { pairs[$0.ends.pair].second }, part(firstMarks) { Int64($0.ends.first.mark) },
          part(firstOrigins) { $0.ends.first.origin }, part(secondMarks) { Int64($0.ends.second.mark) },
          part(secondOrigins) { $0.ends.second.origin }, part(sharedCounts) { Int64($0.count) },
        ]
      }
  }

  /// As `parts` stores them, segment by segment; nil where columns do not fit together.
  static func open(_ parts: [SummaryPart], of pairs: [ReleasePair]) -> [Group: [OpenShared: Int]]? {
    var found: [Group: [OpenShared: Int]] = [:]
    for (place, parts) in Dictionary(grouping: parts, by: { KeptJourneys.Place(release: $0.release, group: $0.group) })
    {
      for (number, pair) in pairs.enumerated() where pair.first == place.release {
        guard let shares = StoredShare.list(parts, with: pair.second, pair: number) else { return nil }
        for share in shares { found[place.group, default: [:]][share.ends, default: 0] += share.count }
      }
    }
    return found
  }
}

/// Two marks, and how many devices have both.
struct StoredShare: Comparable {
  var ends: OpenShared
  var count: Int

  private var order: [Int64] {
    [
      Int64(ends.pair), Int64(ends.first.mark), ends.first.origin, Int64(ends.second.mark), ends.second.origin,
    ]
  }

  static func < (left: Self, right: Self) -> Bool { left.order.lexicographicallyPrecedes(right.order) }
}

extension StoredShare {
  /// Of one segment and of a pair of releases; nil where columns do not fit together.
  static func list(_ parts: [SummaryPart], with other: Int64, pair: Int) -> [StoredShare]? {
    let columns = SummaryPart.ofShared.map { number in parts.first { $0.number == number }?.values ?? [] }
    guard columns.allSatisfy({ $0.count == columns[0].count }) else { return nil }
    var list: [StoredShare] = []
    for index in columns[0].indices where columns[0][index] == other {
      guard let first = OpenMark(stored: columns[1][index], origin: columns[2][index]),
        let second = OpenMark(stored: columns[3][index], origin: columns[4][index])
      else { return nil }
      let ends = OpenShared(pair: pair, cells: [0, 0], first: first, second: second)
      list.append(StoredShare(ends: ends, count: Int(columns[5][index])))
    }
    return list
  }
}

extension SharedCounts {
  /// Where cells are kept by channel and platform only.
  var stored: [OpenShared: Int] {
    counts.reduce(into: open) { all, one in
      let (first, second) = (OpenMark(one.key.ends.first), OpenMark(one.key.ends.second))
      all[OpenShared(pair: one.key.pair, cells: one.key.cells, first: first, second: second), default: 0] += one.value
    }
  }
}

extension SharedEnds {
  /// Of one segment and of a pair of releases, as they are at a cutoff; nil where columns do not fit together.
  init?(_ parts: [SummaryPart], with other: Int64, at cutOff: Timestamp) {
    self.init()
    guard let list = StoredShare.list(parts, with: other, pair: 0) else { return nil }
    for share in list { add(share.ends.ends(at: cutOff.rawValue), times: share.count) }
  }
}

extension OpenMark {
  /// nil where these are none.
  fileprivate init?(stored mark: Int64, origin: Int64) {
    guard let mark = SharedEnds.Mark(exactly: mark), SharedEnds.isMark(mark),
      origin == Self.never || -(1 << 52)..<1 << 52 ~= origin
    else { return nil }
    (self.origin, self.mark) = (origin, mark)
  }
}
