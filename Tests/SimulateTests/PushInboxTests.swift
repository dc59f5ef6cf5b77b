import Lifecycle
import Testing

@testable import Simulate

struct PushInboxTests {
  private func push(_ campaign: UInt16) -> PushInbox.Held {
    .init(campaign: campaign, sent: Timestamp(seconds: Int64(campaign)), expires: Timestamp(seconds: 1000))
  }

  @Test func onlyTheNewestHeldPushSurvives() {
    var inbox = PushInbox()
    #expect(inbox.arrive(push(1)) == nil)
    #expect(inbox.arrive(push(2)) == push(1))
    #expect(inbox.arrive(push(3)) == push(2))
    #expect(inbox.take() == push(3))
    #expect(inbox.take() == nil)
  }

  @Test(arguments: 1...4) func budgetIsCountedPerHour(perHour: Int) {
    var inbox = PushInbox()
    let start = Timestamp(seconds: 1_000_000)
    for number in 0..<Int64(perHour) {
      let now = start + .minutes(number)
      #expect(inbox.allowed(from: now, perHour: perHour) == now)
      inbox.recordDelivery(at: now)
    }
    #expect(inbox.allowed(from: start + .minutes(10), perHour: perHour) == start + .hours(1))
    #expect(inbox.allowed(from: start + .hours(2), perHour: perHour) == start + .hours(2))
  }
}
