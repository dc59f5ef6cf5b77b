import Testing

@testable import Lifecycle

/// Which labels are version numbers, and which of two surely is the older one.
@Suite struct ReleaseNumberTests {
  private func isLower(_ one: String, than other: String) -> Bool? {
    guard let left = ReleaseNumber(ReleaseLabel(rawValue: one)),
      let right = ReleaseNumber(ReleaseLabel(rawValue: other))
    else { return nil }
    return left.isLower(than: right)
  }

  @Test(
    arguments: [
      ("0.9.0", "2.0.0", true), ("2.0.0", "0.9.0", false), ("2.0.0", "2.0.0", false), ("2.9", "2.10", true),
      ("2.0", "2.0.1", true), ("2.1", "2.1.0", false), ("v11", "v12", true), ("v11", "12", true),
      ("2.0.0+7", "2.0.0+12", true),
      ("2.0.0", "2.0.0+1", true), ("2024.12.31", "2025.1.2", true),
      // A count cannot be held against a version.
      ("7", "2.0.0", false), ("1.0", "345", false),
    ]) func lower(_ one: String, _ other: String, _ expected: Bool)
  {
    #expect(isLower(one, than: other) == expected, "\(one), \(other)")
  }

  @Test(
    arguments: [
      "", "v", "nightly", "2.0.0-rc1", "a1b2c3", "2025-01-15", "1..2", "1.", ".1", "1.2.3.4.5", "1.0+", "1.0+x",
      "99999999999999999999.1", "１.0", "-1.0", "1.0 ",
    ]) func noNumber(_ label: String)
  {
    #expect(ReleaseNumber(ReleaseLabel(rawValue: label)) == nil, "\(label)")
  }

  /// A strict order of all numbers of a kind.
  @Test func isAnOrder() {
    let labels = ["0.9", "1.0.0", "1.0.0+1", "1.0.1", "1.2", "1.10", "2.0"]
    for (i, one) in labels.enumerated() {
      for (j, other) in labels.enumerated() { #expect(isLower(one, than: other) == (i < j), "\(one), \(other)") }
    }
  }
}
