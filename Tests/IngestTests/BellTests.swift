import Dispatch
import Locks
import Testing

/// Whoever waits is woken when it rings, and by the clock otherwise. That nobody sets this clock, `test_faults.ClockJumps` shows.
struct BellTests {
  private func seconds(_ work: () -> Void) -> Double { ContinuousClock().measure(work) / .seconds(1) }

  @Test func eachRingIsHeardOnceAlsoLater() {
    let bell = Bell()
    bell.signal()
    bell.signal()
    let heard = seconds {
      bell.wait(.seconds(60))
      bell.wait(.seconds(60))
    }
    #expect(heard < 30)
    #expect(seconds { bell.wait(.milliseconds(1200)) } > 1.1)
  }

  @Test func whoWaitsIsWoken() {
    let bell = Bell()
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.1) { bell.signal() }
    #expect(seconds { bell.wait(.seconds(60)) } < 30)
  }
}
