extension PushCounts {
  private var rates: [RateSums] { [delivered, coalesced, unreached, lost, credit] + throttle }

  /// Without lists, whose lengths vary. The order is frozen, files that hold them are in the world.
  var stored: [Int64] {
    ([sent, rejected, orphans, devices, lostThoughRefreshed] + states.all + mature.all + arrivals.all + hourMature
      + hourDelivered + [brought, unreceived]).map(Int64.init) + rates.flatMap(\.stored)
  }

  /// nil where they are not as many as `stored` gives.
  init?(stored: [Int64]) {
    let own = PushCounts().stored.count - 10 * RateSums.storedCount
    guard stored.count == own + 10 * RateSums.storedCount else { return nil }
    let numbers = stored.prefix(own).map { Int($0) }
    let rates = stride(from: own, to: stored.count, by: RateSums.storedCount).compactMap {
      RateSums(stored: stored[$0...].prefix(RateSums.storedCount))
    }
    guard rates.count == 10 else { return nil }
    (sent, rejected, orphans, devices) = (numbers[0], numbers[1], numbers[2], numbers[3])
    lostThoughRefreshed = numbers[4]
    var rest = numbers[5...]
    func take(_ count: Int) -> [Int] {
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }
    (states, mature) = (.init(take(PushState.allCases.count)), .init(take(PushState.allCases.count)))
    arrivals = .init(take(PushArrival.allCases.count))
    (hourMature, hourDelivered) = (take(168), take(168))
    (brought, unreceived) = (take(1)[0], take(1)[0])
    (delivered, coalesced, unreached, lost, credit) = (rates[0], rates[1], rates[2], rates[3], rates[4])
    throttle = Array(rates[5...])
  }
}
