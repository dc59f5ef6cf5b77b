import Lifecycle

/// A scenario made ready for devices to live in: plans sorted and numbered.
final class World: Sendable {
  let scenario: Scenario
  let seed: UInt64
  let start: Timestamp
  let until: Timestamp
  let rhythm = Rhythm()
  /// By number: 0 is the base, then the plans from oldest to newest.
  let releases: [ReleasePlan]
  /// All publications, in order of time.
  let offers: [Offer]
  /// Numbers into `offers` by cell, in order of time.
  let offersByCell: [[Int]]
  /// In order of time.
  let campaigns: [Campaign]

  init(_ scenario: Scenario, seed: UInt64) {
    self.scenario = scenario
    self.seed = seed
    (start, until) = (scenario.start, scenario.until)
    releases = [ReleasePlan(label: scenario.base)] + scenario.releases
    let offers = offersInOrder(of: scenario)
    self.offers = offers
    offersByCell = (0..<scenario.channels.count * 2).map { cell in
      offers.indices.filter { offers[$0].serves(cell: cell) }
    }
    campaigns = campaignsInOrder(of: scenario)
  }

  /// Channels and platforms together, as one small number.
  static func cell(channel: UInt8, platform: Platform) -> Int { Int(channel) * 2 + Int(platform.rawValue) }

  /// The newest release that a server gives out to a device with this bucket; nil before the first.
  func offer(cell: Int, bucket: UInt8, at now: Timestamp) -> Int? {
    let offers = offersByCell[cell]
    var index = offers.count - 1
    while index >= 0 {
      if self.offers[offers[index]].isOffered(to: bucket, at: now) { return offers[index] }
      index -= 1
    }
    return nil
  }

  /// Whether this release was taken back on the cell's channel.
  func isHalted(release: Int, cell: Int, at now: Timestamp) -> Bool {
    offersByCell[cell].contains { offers[$0].release == release && offers[$0].haltedAt <= now }
  }
}

/// A publication, numbered.
struct Offer: Sendable {
  let release: Int
  let channel: UInt8
  let platform: Platform?
  let publishedAt: Timestamp
  let steps: [(at: Timestamp, percent: Double)]
  let mandatory: Bool
  let haltedAt: Timestamp
  /// In per cent, as the steps are.
  let stuckAt: Double

  func serves(cell: Int) -> Bool {
    Int(channel) == cell / 2 && (platform.map { Int($0.rawValue) == cell % 2 } ?? true)
  }

  /// When the rollout reaches a bucket; nil when it never does.
  func eligible(bucket: UInt8) -> Timestamp? { steps.first { $0.percent > Double(bucket) }?.at }

  func isOffered(to bucket: UInt8, at now: Timestamp) -> Bool {
    guard publishedAt <= now, now < haltedAt, Double(bucket) < stuckAt, let at = eligible(bucket: bucket) else {
      return false
    }
    return at <= now
  }
}

/// One round of silent pushes.
struct Campaign: Sendable {
  let name: String
  let release: Int
  let channel: UInt8
  let at: Timestamp
  let expires: Milliseconds
}

private func channelNumber(_ name: String, in scenario: Scenario) -> UInt8? {
  scenario.channels.firstIndex { $0.name == name }.map { UInt8($0) }
}

private func offersInOrder(of scenario: Scenario) -> [Offer] {
  var offers: [Offer] = []
  for (index, plan) in scenario.releases.enumerated() {
    for publication in plan.publications where scenario.start + publication.at < scenario.until {
      guard let channel = channelNumber(publication.channel, in: scenario) else { continue }
      let publishedAt = scenario.start + publication.at
      let rollout = publication.rollout.isEmpty ? [.init(after: .zero, percent: 100)] : publication.rollout
      offers.append(
        Offer(
          release: index + 1, channel: channel, platform: publication.platform, publishedAt: publishedAt,
          steps: rollout.map { (publishedAt + $0.after, $0.percent) }, mandatory: publication.mandatory,
          haltedAt: publication.haltedAt.map { scenario.start + $0 } ?? .never, stuckAt: plan.stuckAt * 100))
    }
  }
  return offers.sorted { ($0.publishedAt, $0.release) < ($1.publishedAt, $1.release) }
}

private func campaignsInOrder(of scenario: Scenario) -> [Campaign] {
  var campaigns: [Campaign] = []
  for (index, plan) in scenario.releases.enumerated() {
    for push in plan.pushes {
      guard let channel = channelNumber(push.channel, in: scenario) else { continue }
      for round in 0..<push.times {
        campaigns.append(
          Campaign(
            name: "\(plan.label)-\(push.channel)-\(round + 1)", release: index + 1, channel: channel,
            at: scenario.start + push.at + push.every * Double(round), expires: push.expires))
      }
    }
  }
  return campaigns.filter { $0.at < scenario.until }.sorted { ($0.at, $0.name) < ($1.at, $1.name) }
}
