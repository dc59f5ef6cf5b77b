import Testing

@testable import CoverageStudy

/// Limits of few devices, by every possible result.
struct SmallGroupTests {
  /// At 0 and 100 % nothing else can happen than that none or all updated: limits that left the truth out would always do so.
  @Test(arguments: SmallGroups.Number.allCases, [1, 5, 15]) func holdsNoneAndAll(
    _ number: SmallGroups.Number, _ size: Int
  ) {
    let found = SmallGroups().coverage(number, of: size).at
    #expect(found[0] > 0.93 && found[found.count - 1] > 0.93, "\(number), \(size) devices: \(found)")
  }
}
