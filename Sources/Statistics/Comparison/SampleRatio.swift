/// Whether arms got the devices that they should have got. Where they did not, a difference between them is no effect.
public struct SampleRatio: Hashable, Sendable {
  /// Pearson's chi-square test.
  public let p: PValue
  /// Such a deviation is expected once in a thousand experiments that are sound.
  public static let limit = 0.001
  public var isOff: Bool { p.value < Self.limit }

  /// Counts against planned shares; nil where some arm is expected to have fewer than five.
  public init?(_ counts: [Int], shares: [Double]) {
    let (total, sum) = (Double(counts.reduce(0, +)), shares.reduce(0, +))
    guard counts.count == shares.count, counts.count > 1, sum > 0 else { return nil }
    let expected = shares.map { total * $0 / sum }
    guard expected.allSatisfy({ $0 >= 5 }) else { return nil }
    let statistic = zip(counts, expected).reduce(0) { $0 + (Double($1.0) - $1.1) * (Double($1.0) - $1.1) / $1.1 }
    p = PValue(chiSquare: statistic, degreesOfFreedom: counts.count - 1)
  }

  /// Counts of each arm by something that was decided before the arm was; nil where some cell is expected to have fewer than
  /// five.
  ///
  /// - Parameter table: a row an arm, a column a kind of device.
  public init?(_ table: [[Int]]) {
    let rows = table.map { Double($0.reduce(0, +)) }
    let columns = (table.first ?? []).indices.map { column in Double(table.reduce(0) { $0 + $1[column] }) }
    let total = rows.reduce(0, +)
    guard rows.count > 1, columns.count > 1, total > 0 else { return nil }
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
}
