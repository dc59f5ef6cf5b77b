import Store
import Testing

@testable import Server

/// When the log says that most events were known already.
@Suite struct ResendShareTests {
  @Test func saysItOfTheLastEvents() {
    let share = ResendShare()
    #expect(share.note(Admitted(accepted: 1, duplicate: 198)) == nil, "not enough")
    #expect(share.note(Admitted(accepted: 0, duplicate: 1)) == ResendShare.Sums(known: 199, of: 200))
    #expect(share.note(Admitted(accepted: 0, duplicate: 150)) == nil, "counted anew")
    #expect(share.note(Admitted(accepted: 150, duplicate: 0)) == nil, "half of them were new")
    #expect(share.note(Admitted(accepted: 99, duplicate: 101)) == ResendShare.Sums(known: 101, of: 200))
  }
}
