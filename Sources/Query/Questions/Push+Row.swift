import Statistics

extension Push {
  /// - Parameter areReceiptsReported: by any device that was looked at, whatever its group.
  init(
    _ group: Labels, _ tally: PushCounts, _ extent: FleetScope, _ options: Options, areReceiptsReported: Bool
  ) {
    let level = extent.level
    self.group = group
    sent = tally.sent
    rejected = tally.rejected
    accepted = tally.sent - tally.rejected
    devices = tally.devices
    states = Self.all(tally.states)
    matureStates = Self.all(tally.mature)
    mature = matureStates.values.reduce(0, +)
    delivered = tally.delivered.rate(level: level)
    coalesced = tally.coalesced.rate(level: level)
    unreached = tally.unreached.rate(level: level)
    lost = tally.lost.rate(level: level)
    arrivals = Self.all(tally.arrivals)
    lostThoughRefreshed = tally.lostThoughRefreshed
    latency = Latency(tally.latency.build(), of: .arrived, level: level, options)
    throttling = zip(PushCounts.throttleClasses, tally.throttle).map {
      Throttle(pushesBefore: Self.words($0), delivered: $1.rate(level: level))
    }
    deviceHours = DeviceHours(tally.deviceHours.byPushes)
    hourOfWeek = HourOfWeek(mature: tally.hourMature, delivered: tally.hourDelivered)
    credited = tally.credit.rate(level: level)
    sentToApplied = Latency(tally.untilApplied.build(), of: .credited, level: level, options)
    orphans = extent.release == nil ? tally.orphans : nil
    if !areReceiptsReported, mature > 0 { withholdArrivals() }
  }

  /// Receipts are optional: where nobody sends any, what was received, lost or replaced before it arrived is not known.
  private mutating func withholdArrivals() {
    for rate in [\Push.delivered, \.coalesced, \.lost, \.credited] {
      self[keyPath: rate] = self[keyPath: rate].unknown(.noReceipts)
    }
    for row in throttling.indices { throttling[row].delivered = throttling[row].delivered.unknown(.noReceipts) }
    latency.withhold(.noReceipts)
    sentToApplied.withhold(.noReceipts)
  }

  /// Every word of the vocabulary with its count.
  private static func all<Word: RawRepresentable<String> & Numbered>(_ counts: WordCounts<Word>) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: Word.allCases.map { ($0.rawValue, counts[$0]) })
  }

  private static func words(_ numbers: ClosedRange<Int>) -> String {
    numbers.upperBound == .max
      ? "\(numbers.lowerBound)+"
      : numbers.count == 1 ? "\(numbers.lowerBound)" : "\(numbers.lowerBound)-\(numbers.upperBound)"
  }
}

extension Push.Latency {
  fileprivate mutating func withhold(_ reason: Unestimable) {
    curve = []
    for index in quantiles.indices {
      let time = quantiles[index].seconds
      quantiles[index].seconds = .missing(reason, level: time.level, method: time.method)
    }
  }

  init(_ table: LifeTable, of cause: Cause, level: Double, _ options: Push.Options) {
    self.init(table, of: cause, level: level, options.quantiles, points: options.points)
  }

  init(_ table: LifeTable, of cause: Cause, level: Double, _ shares: [Double], points: Int) {
    let incidence = AalenJohansen(table)
    quantiles = zip(shares, incidence.quantiles(shares, of: cause, level: level)).map {
      TimeToUpdate.Quantile(p: $0, seconds: $1)
    }
    curve = incidence.incidence(of: cause, atMost: points, .pointwise(level: level)).map {
      Push.Point(seconds: $0.at, share: $0.share)
    }
    events = Int(table.events(cause))
    censored = Int(table.censored)
  }
}

extension Push.DeviceHours {
  init(_ counts: [Int: Int]) {
    func hours(_ numbers: ClosedRange<Int>) -> Int {
      counts.reduce(0) { $0 + (numbers.contains($1.key) ? $1.value : 0) }
    }
    self.hours = hours(1...Int.max)
    byPushes = ["1": hours(1...1), "2": hours(2...2), "3": hours(3...3), "4+": hours(4...Int.max)]
    overThree = hours(4...Int.max)
    most = counts.keys.max() ?? 0
  }
}
