import Statistics
import Testing

@testable import Query
@testable import Report

@Suite struct MechanismHistoryTests {
  private static let (hour, day): (Int64, Int64) = (3600, 86_400)

  static let followed: [(seconds: [Int64], age: Int64?)] = [
    ([2 * day + 5, 5 * day, 5 * day], 2 * day), ([9 * day, 8 * day], 7 * day), ([7 * hour, 30 * day], 6 * hour),
    ([2 * hour, 30 * day], nil),
  ]

  /// One of two days is not held against one of five.
  @Test(arguments: followed) func sharesAreOfOneAge(_ row: (seconds: [Int64], age: Int64?)) {
    #expect(MechanismHistory.commonAge(row.seconds) == row.age)
  }

  @Test func aShareIsThatOfItsAge() {
    let points = [(Self.hour, 0.1), (Self.day, 0.271), (5 * Self.day, 0.413)].map { seconds, share in
      TimeToUpdate.Share(seconds: seconds, share: Estimate(share, level: 0.95, method: .aalenJohansenCloglog))
    }
    let part = TimeToUpdate.MechanismShare(
      mechanism: "bgRefresh", events: 3, curve: Drawn(wrappedValue: points), quantiles: [])
    #expect(part.share(at: 2 * Self.day)?.value == 0.271)
    #expect(part.share(at: 5 * Self.day)?.value == 0.413)
    #expect(part.share(at: 60) == nil)
  }
}
