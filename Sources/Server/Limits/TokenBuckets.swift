/// How often each of many clients may come: at a steady rate, with a burst above it, in bounded memory.
///
/// A client is one number: the instant at which its bucket is full again. Who is not in the table has a full bucket, so
/// whoever has been quiet for long enough can be forgotten without anybody noticing.
struct TokenBuckets {
  /// What one request costs, and what a full bucket holds; nanoseconds.
  private let cost: Int64
  private let full: Int64
  private let capacity: Int
  private var fullAt: [UInt64: Int64] = [:]

  /// - Parameter burst: how many requests may come at once.
  init(perSecond rate: Int, burst: Int, capacity: Int = 65_536) {
    cost = max(1, 1_000_000_000 / Int64(max(1, rate)))
    full = cost * Int64(max(1, burst))
    self.capacity = capacity
  }

  init(perMinute rate: Int, burst: Int, capacity: Int = 65_536) {
    cost = max(1, 60_000_000_000 / Int64(max(1, rate)))
    full = cost * Int64(max(1, burst))
    self.capacity = capacity
  }

  var count: Int { fullAt.count }

  /// - Parameter now: monotonic nanoseconds.
  /// - Returns: nil where the client may pass, else how many nanoseconds later it may.
  mutating func take(_ client: UInt64, now: Int64) -> Int64? {
    let after = max(fullAt[client] ?? now, now) + cost
    guard after - now <= full else { return after - now - full }
    if fullAt.count >= capacity { makeRoom(now) }
    fullAt[client] = after
    return nil
  }

  /// For what cannot be parted: as long as anything is left in the bucket all of it passes, and is paid for by those that come
  /// after. What is larger than the bucket would never pass otherwise.
  mutating func takeWhileAnyIsLeft(_ client: UInt64, count: Int, now: Int64) -> Int64? {
    let before = max(fullAt[client] ?? now, now)
    guard before - now < full else { return before - now - full + cost }
    if fullAt.count >= capacity { makeRoom(now) }
    fullAt[client] = before + cost * Int64(count)
    return nil
  }

  /// Forgets those whose bucket is full. Where that is not half of them, a crowd of addresses is at work, and all begin
  /// anew: memory stays bounded, and so does the work for each request.
  private mutating func makeRoom(_ now: Int64) {
    fullAt = fullAt.filter { $0.value > now }
    if fullAt.count > capacity / 2 { fullAt.removeAll(keepingCapacity: true) }
  }
}
