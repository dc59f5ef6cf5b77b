import Query
import Testing

@testable import CoverageStudy

/// A few small fleets of the study, whose whole is in `make coverage`: a fault of each kind is named first, and nothing is
/// found where nothing is the matter.
struct DiagnosisTests {
  @Test(arguments: ["fault-none", "fault-push-ios", "fault-step", "fault-refresh-android", "fault-apply"])
  func namesTheFault(_ name: String) throws {
    let found = try DiagnosisStudy.findings(name, seed: 1, devices: 500)
    #expect(DiagnosisStudy.first(found) == DiagnosisStudy.expected[name], "\(found.map(\.sentence))")
  }

  /// Every fault that is shipped has a name that it should be given, and no scenario beside them.
  @Test func everyFaultIsExpected() {
    #expect(DiagnosisStudy.expected.count == 22)
    #expect(Set(DiagnosisStudy.expected.values).count >= 14)
  }
}
