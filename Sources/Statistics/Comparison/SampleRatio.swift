import Glibc

/// Whether arms got the devices that they should have got. Where they did not, a difference between them is no effect.
public struct SampleRatio: Hashable, Sendable {
  /// Pearson's chi-square test.
  public let p: PValue
  /// Such a deviation is expected once in a thousand experiments that are sound.
  public static let limit = 0.001
  public var isOff: Bool { p.value < Self.limit }

  /// Whether an arm without a device is missing: of so many devices none would be in it once in a thousand experiments.
  ///
  /// - Parameter share: of all devices, as planned.
  public static func isMissing(share: Double, of devices: Int) -> Bool {
    Double(devices) * log1p(-min(share, 1)) < log(limit)
  }

  /// Counts against planned shares; nil where some arm is expected to have fewer than five.
  public init?(_ counts: [Int], shares: [Double]) {
    let (total, sum) = (Double(counts.reduce(0, +)), shares.reduce(0, +))
    guard counts.count == shares.count, counts.count > 1, sum > 0 else { return nil }
    let expected = shares.map { total * $0 / sum }
    guard expected.allSatisfy({ $0 >= 5 }) else { return nil }
    let statistic = zip(counts, expected).reduce(0) { $0 + (Double($1.0) - $1.1) * (Double($1.0) - $1.1) / $1.1 }
    p = PValue(chiSquare: statistic, degreesOfFreedom: counts.count - 1)
  }

  /// Counts of each arm by something that was decided before the arm was; nil where nothing is left of which five are expected.
  ///
  /// Of arms with fewer than ten devices five of each of two kinds can never be expected: they are left out. Kinds of which some
  /// arm is expected to have fewer than five count as one, or are left out where they are few together.
  ///
  /// - Parameter table: a row an arm, a column a kind of device.
  public init?(_ table: [[Int]]) {
    let table = Self.pooled(table.filter { $0.reduce(0, +) >= 10 })
    let (rows, columns) = Self.sums(table)
    guard rows.count > 1, columns.count > 1 else { return nil }
    let total = rows.reduce(0, +)
    var statistic = 0.0
    for (row, counts) in table.enumerated() {
      for (column, count) in counts.enumerated() {
        let expected = rows[row] * columns[column] / total
        guard expected >= 5 else { return nil }
        statistic += (Double(count) - expected) * (Double(count) - expected) / expected
      }
    }
    p = PValue(chiSquare: statistic, degreesOfFreedom: (rows.count - 1) * (columns.count - 1))
  }

  private static func sums(_ table: [[Int]]) -> (rows: [Double], columns: [Double]) {
    (
      table.map { Double($0.reduce(0, +)) },
      (table.first ?? []).indices.map { column in Double(table.reduce(0) { $0 + $1[column] }) }
    )
  }

  /// With columns of which some row expects fewer than five as one.
  private static func pooled(_ table: [[Int]]) -> [[Int]] {
    let (rows, columns) = sums(table)
    guard let least = rows.min(), case let total = rows.reduce(0, +), total > 0 else { return [] }
    func isEnough(_ count: Double) -> Bool { least * count / total >= 5 }
    let (large, small) = (
      columns.indices.filter { isEnough(columns[$0]) }, columns.indices.filter { !isEnough(columns[$0]) }
    )
    let keepsSmall = isEnough(small.reduce(0) { $0 + columns[$1] })
    return table.map { row in
      large.map { row[$0] } + (keepsSmall ? [small.reduce(0) { $0 + row[$1] }] : [])
    }
  }
}
