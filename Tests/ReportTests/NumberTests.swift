import Statistics
import Testing

@testable import Report

/// Numbers of cells.
@Suite struct NumberTests {
  /// Intervals stand below their numbers, what a number is of beside it.
  @Test func wordsStandBesideTheirNumber() {
    let known = Estimate(0.5, lo: 0.25, hi: 0.75, level: 0.95, method: .wilson)
    #expect(
      known.html(.share, of: "of pushes lost", before: ";").description
        == "<b data-v=0.5>50.0%</b> of pushes lost <i><b data-v=0.25,0.75>(25.0–75.0)</b>;</i>")
    let bare = Estimate(0.5, level: 0.95, method: .wilson, reason: .tooFew)
    #expect(
      bare.html(.share, of: "of pushes lost").description.hasPrefix(
        "<b data-v=0.5>50.0%</b> of pushes lost <i>(no interval: "))
    let unknown = Estimate(nil, level: 0.95, method: .wilson, reason: .tooFew)
    #expect(unknown.html(.share, of: "of pushes lost", before: ";").description.hasSuffix(";</i>"))
  }
}
