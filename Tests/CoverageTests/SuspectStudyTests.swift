import CoverageStudy
import Testing

@Suite struct SuspectStudyTests {
  /// A cause that the whole fleet hides: one device in twelve crashes.
  @Test func namesTheSystemThatCrashes() throws {
    let found = try SuspectStudy.found("fault-crash-system", seed: 1, devices: 500)
    #expect(found.first == "osVersion 14" && found.dropFirst().allSatisfy { $0.hasSuffix("*") }, "\(found)")
  }

  @Test func namesNobodyWhereAllCrashAlike() throws {
    #expect(try SuspectStudy.found("fault-crash", seed: 1, devices: 500) == [])
  }
}
