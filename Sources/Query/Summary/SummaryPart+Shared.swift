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

  static func parts(_ shared: SharedCounts, of pairs: [ReleasePair], _ group: Group) -> [SummaryPart] {
    Dictionary(grouping: shared.all.sorted(), by: { pairs[$0.ends.pair].first }).sorted { $0.key < $1.key }
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

extension SharedCounts {
  fileprivate var all: [StoredShare] {
    counts.map { key, count in
      let ends = OpenShared(
        pair: key.pair, cells: key.cells, first: OpenMark(key.ends.first), second: OpenMark(key.ends.second))
      return StoredShare(ends: ends, count: count)
    } + open.map { StoredShare(ends: $0, count: $1) }
  }
}

extension SharedEnds {
  /// Of one segment and of a pair of releases, as they are at a cutoff; nil where columns do not fit together.
  init?(_ parts: [SummaryPart], with other: Int64, at cutOff: Timestamp) {
    self.init()
    let columns = SummaryPart.ofShared.map { number in parts.first { $0.number == number }?.values ?? [] }
    guard columns.allSatisfy({ $0.count == columns[0].count }) else { return nil }
    for index in columns[0].indices where columns[0][index] == other {
      guard let first = OpenMark(stored: columns[1][index], origin: columns[2][index]),
        let second = OpenMark(stored: columns[3][index], origin: columns[4][index])
      else { return nil }
      let ends = OpenShared(pair: 0, cells: [0, 0], first: first, second: second)
      add(ends.ends(at: cutOff.rawValue), times: Int(columns[5][index]))
    }
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
