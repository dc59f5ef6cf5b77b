internal import Console
internal import Query
internal import Statistics

/// The answers of an explorer as one JSON text of a limited length, which its script chooses among.
///
/// Cuts are taken in an order that does not depend on the data's: those with fewer parts first, then those with more
/// devices. From the first that no longer fits on, all are left out and counted.
struct ExplorerData {
  private var names = Explored.parts.map { _ in ExplorerNames() }
  private var rows: [[JSON]]
  private var leftOut: [Int]
  private let explored: Explored

  /// A row of one of the splits. What is withheld is not in the file: it does not differ from a cut without any device.
  private struct Cut {
    var split: Int
    var parts: [String]
    var row: Counted<Adoption>
    var devices: Int { row.counts.devices }
  }

  /// - Parameter room: in bytes, for all that grows with the number of cuts.
  init(_ explored: Explored, room: Int) {
    self.explored = explored
    rows = explored.splits.map { _ in [] }
    leftOut = explored.splits.map { _ in 0 }
    var (used, isFull) = (0, false)
    for cut in Self.cuts(explored) {
      guard !isFull else {
        leftOut[cut.split] += 1
        continue
      }
      var grown = names
      let row = Self.json(cut, grown.numbers(of: cut.parts, in: explored.splits[cut.split].by))
      let cost = row.harmlessText.utf8.count + 1 + grown.size - names.size
      isFull = used + cost > room
      if isFull {
        leftOut[cut.split] += 1
      } else {
        (names, used) = (grown, used + cost)
        rows[cut.split].append(row)
      }
    }
  }

  private static func cuts(_ explored: Explored) -> [Cut] {
    let all = explored.splits.enumerated().flatMap { index, split in
      split.asked.data.filter { $0.counts.devices > 0 }.map { row in
        Cut(split: index, parts: split.by.map { row.group.value(of: $0) }, row: row)
      }
    }
    return all.sorted { one, other in
      let sizes = (explored.splits[one.split].by.count, explored.splits[other.split].by.count)
      if sizes.0 != sizes.1 { return sizes.0 < sizes.1 }
      if one.devices != other.devices { return one.devices > other.devices }
      if one.split != other.split { return one.split < other.split }
      return one.parts.lexicographicallyPrecedes(other.parts)
    }
  }

  /// Each once: many answers have the same.
  private var warnings: [String] { Set(explored.splits.flatMap { $0.asked.warnings.map(\.message) }).sorted() }

  var json: JSON {
    let warnings = warnings
    let splits = zip(explored.splits, zip(rows, leftOut)).map { split, kept -> JSON in
      .object([
        "release": .string(split.release), "by": .array(split.by.map { .string($0.rawValue) }),
        "command": .string("\(Exhibit(split.asked).command)"), "leftOut": .integer(kept.1), "rows": .array(kept.0),
        "warnings": .array(
          split.asked.warnings.compactMap { warnings.firstIndex(of: $0.message) }.map { .integer($0) }),
      ])
    }
    return .object([
      "splits": .array(splits), "names": .array(names.map(\.json)), "older": .integer(explored.older),
      "warnings": .array(warnings.map { .string($0) }),
    ])
  }

  /// Parts, devices, updates, the median, ages and the curve.
  private static func json(_ cut: Cut, _ parts: [Int]) -> JSON {
    let (row, group) = (cut.row, JSON.array(parts.map { .integer($0) }))
    let known = row.ages.prefix { $0.share.value != nil || $0.atRisk > 0 }
    let ages = known.map { age -> JSON in
      [.integer(age.atRisk), .integer(age.events), share(age.share.value), share(age.share.lo), share(age.share.hi)]
    }
    let median = [row.median.value, row.median.lo, row.median.hi].map {
      $0.map { JSON.integer(Int($0.rounded())) } ?? .null
    }
    return [
      group, .integer(row.counts.devices), .integer(row.counts.events),
      .array(median + [.string(row.median.text(.duration))]), .array(ages), .array(curve(row.curve)),
    ]
  }

  /// The corners of the share, of its upper and of its lower limit in the picture, each as minutes and tenths of a percent since
  /// the corner before. Where there are no limits the band has no height.
  private static func curve(_ curve: Curve) -> [JSON] {
    let upper = line(curve, within: 2 * pixel) { $0.hi ?? $0.value }
    let lower = line(curve, within: 2 * pixel) { $0.lo ?? $0.value }
    return [.array(line(curve, within: pixel, \.value)), .array(upper), .array(lower)]
  }

  private static func line(_ curve: Curve, within error: Double, _ height: (CurvePoint) -> Double) -> [JSON] {
    let path = StepPath(
      curve.points.map { .init(x: Int($0.seconds / 60), y: Int((height($0) * 1000).rounded())) })
    let corners = Outline([path], until: Int((curve.points.last?.seconds ?? 0) / 60)).thinned(within: error).corners
    let before = [Outline.Corner(x: 0, heights: [0])] + corners
    return zip(before, corners).flatMap { before, corner -> [JSON] in
      [.integer(corner.x - before.x), .integer(corner.heights[0] - before.heights[0])]
    }
  }

  /// Of the 322 of the plot's height.
  private static let pixel = 1000 / 322.0

  private static func share(_ value: Double?) -> JSON { value.map { .integer(tenThousandths($0)) } ?? .null }

  /// Cut off, not rounded: rounded once more, to a tenth of a percent, it is what other pages say. Only nothing is 0.
  private static func tenThousandths(_ share: Double) -> Int {
    max(share > 0 ? 1 : 0, Int(share * 10_000 * (1 + 4 * Double.ulpOfOne)))
  }
}

/// Names of one part, each with the number that stands for it.
private struct ExplorerNames {
  private var numbers: [String: Int] = [:]
  private(set) var all: [String] = []
  private(set) var size = 0

  mutating func number(of name: String) -> Int {
    if let known = numbers[name] { return known }
    numbers[name] = all.count
    all.append(name)
    size += JSON.string(name).harmlessText.utf8.count + 1
    return all.count - 1
  }

  var json: JSON { .array(all.map { .string($0) }) }
}

extension [ExplorerNames] {
  fileprivate var size: Int { reduce(0) { $0 + $1.size } }

  fileprivate mutating func numbers(of parts: [String], in groupings: [Grouping]) -> [Int] {
    zip(groupings, parts).map { grouping, part in
      Explored.parts.firstIndex(of: grouping).map { self[$0].number(of: part) } ?? 0
    }
  }
}

extension Group {
  fileprivate func value(of grouping: Grouping) -> String { parts.first { $0.name == grouping.rawValue }?.value ?? "" }
}

extension JSON {
  /// Nothing in it ends a script element or begins a comment.
  var harmlessText: String { text().replacing("<", with: "\\u003c") }
}
