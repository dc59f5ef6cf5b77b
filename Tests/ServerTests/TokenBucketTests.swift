import Testing

@testable import Server

/// Ten a second with a burst of five, by hand: a request costs 100 ms, a full bucket holds 500 ms.
struct TokenBucketTests {
  private var buckets = Bucketed()

  /// How many milliseconds each must wait; nil where it may pass.
  private struct Bucketed {
    var buckets = TokenBuckets(perSecond: 10, burst: 5, capacity: 8)

    mutating func take(_ client: UInt64, at milliseconds: Int64, times: Int = 1) -> [Int64?] {
      (0..<times).map { _ in buckets.take(client, now: milliseconds * 1_000_000).map { $0 / 1_000_000 } }
    }
  }

  @Test func takesTheBurstThenTheRate() {
    var buckets = buckets
    let answers =
      buckets.take(1, at: 0, times: 6) + buckets.take(1, at: 60) + buckets.take(1, at: 100, times: 2)
    #expect(answers == [nil, nil, nil, nil, nil, 100, 40, nil, 100])
  }

  @Test func whoIsRefusedPaysNothing() {
    var buckets = buckets
    _ = buckets.take(1, at: 0, times: 55)
    let answer = buckets.take(1, at: 100)
    #expect(answer == [nil])
  }

  @Test func aQuietClientHasAFullBucketAgain() {
    var buckets = buckets
    _ = buckets.take(1, at: 0, times: 5)
    let answers = buckets.take(1, at: 500, times: 6)
    #expect(answers == [nil, nil, nil, nil, nil, 100])
  }

  @Test func clientsDoNotShareABucket() {
    var buckets = buckets
    _ = buckets.take(1, at: 0, times: 6)
    let answer = buckets.take(2, at: 0)
    #expect(answer == [nil])
  }

  /// Room is made of those whose bucket is full; the others keep their debt.
  @Test func forgetsWhoIsQuietAndNobodyElse() {
    var buckets = buckets
    for client in 0..<7 { _ = buckets.take(UInt64(client), at: 0) }
    _ = buckets.take(99, at: 200)
    #expect(buckets.buckets.count == 8)
    _ = buckets.take(99, at: 200, times: 4)
    let answers = buckets.take(100, at: 200) + buckets.take(99, at: 200)
    #expect(answers == [nil, 100] && buckets.buckets.count == 2)
  }

  @Test func aCrowdOfAddressesTakesNoMoreMemory() {
    var buckets = buckets
    for client in 0..<10_000 {
      _ = buckets.take(UInt64(client), at: 0)
      #expect(buckets.buckets.count <= 8)
    }
  }
}
