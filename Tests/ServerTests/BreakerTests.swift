import Testing

@testable import Server

struct BreakerTests {
  private let now = ContinuousClock.now

  private func broken() -> Breaker {
    var breaker = Breaker()
    for _ in 0..<Breaker.failuresInARow { breaker.failed(now) }
    return breaker
  }

  @Test func opensAfterFailuresInARowOnly() {
    var breaker = Breaker()
    for _ in 1..<Breaker.failuresInARow { breaker.failed(now) }
    breaker.succeeded()
    for _ in 1..<Breaker.failuresInARow { breaker.failed(now) }
    let before = (isOpen: breaker.isOpen, mayAsk: breaker.mayAsk(now))
    #expect(!before.isOpen && before.mayAsk)
    breaker.failed(now)
    let after = (isOpen: breaker.isOpen, mayAsk: breaker.mayAsk(now))
    #expect(after.isOpen && !after.mayAsk)
  }

  @Test func afterTheRestOneQuestionGoesThrough() {
    var breaker = broken()
    let times = [Breaker.rest - .milliseconds(1), Breaker.rest, Breaker.rest, Breaker.rest * 2]
    let answers = times.map { breaker.mayAsk(now + $0) }
    #expect(answers == [false, true, false, false], "a probe is on its way until somebody says what became of it")
  }

  @Test func theProbeDecides() {
    var breaker = broken()
    let later = now + Breaker.rest
    _ = breaker.mayAsk(later)
    breaker.failed(later)
    let answers = [later, later + Breaker.rest].map { breaker.mayAsk($0) }
    #expect(answers == [false, true])
    breaker.succeeded()
    let free = [later, later].map { breaker.mayAsk($0) }
    #expect(!breaker.isOpen && free == [true, true])
  }
}
