import Lifecycle
import Store

/// What every walk over devices needs of the question; a class, so that walking counts no references to it all.
final class ReachQuestion {
  let chosen: Chosen
  let vocabulary: Vocabulary
  let profiles: ProfileTable
  let moments: ReachMoments
  let cutOff: Timestamp
  let splitsVersions: Bool

  init(_ counting: ReachCounting, _ vocabulary: Vocabulary) {
    chosen = counting.chosen
    self.vocabulary = vocabulary
    profiles = ProfileTable(vocabulary.profiles)
    moments = ReachMoments(counting)
    cutOff = counting.cutOff
    splitsVersions = chosen.selection.by.contains(.appVersion)
  }
}

/// Goes over devices, shard by shard; walks add up in any order.
struct ReachWalk {
  let question: ReachQuestion
  private(set) var places: [Int64: [ReachPlace?]] = [:]
  /// The newest contact that was looked at.
  private(set) var dataThrough: Timestamp?
  private var sweep = ReachSweep()

  init(_ question: ReachQuestion) { self.question = question }

  mutating func add(_ shard: DeviceShard, _ journeys: [Snapshot.Journeys]) {
    for index in shard.devices.indices {
      let sightings = shard.profiles(index)
      if !question.chosen.selection.includesEmulators, question.profiles.isEmulator(sightings) { continue }
      sweep.load(shard.runs(index), until: question.cutOff)
      count(shard, index, journeys, platform: question.profiles.firstPlatform(sightings))
    }
  }

  private mutating func count(_ shard: DeviceShard, _ index: Int, _ journeys: [Snapshot.Journeys], platform: Int) {
    var (place, channel): (ReachPlace?, Int64) = (nil, 0)
    for (moment, instant) in question.moments.instants.enumerated() {
      guard let contact = sweep.contact(at: instant) else { continue }
      if instant == question.cutOff.rawValue { note(contact) }
      let looks = question.moments.looks[moment]
      guard looks.contains(where: { contact > $0.after }) else { continue }
      if place == nil || channel != sweep.channel {
        channel = sweep.channel
        place = self.place(channel, platform)
      }
      guard let place, place.isIncluded else { continue }
      let release = sweep.release(at: instant)
      let standing = place.standing(release)
      let eligibility = place.rules.eligibility(
        runs: standing, at: Timestamp(rawValue: instant),
        journey: { journeys.journey(of: shard.devices[index], on: channel) }, bucket: { shard.bucket(index) })
      let version = question.splitsVersions ? question.profiles.version(shard.profiles(index), at: instant) : 0
      place.add(looks, contact: contact, version: version, release, standing, eligibility)
    }
  }

  private mutating func note(_ contact: Int64) {
    let contact = Timestamp(rawValue: contact)
    dataThrough = max(dataThrough ?? contact, contact)
  }

  private mutating func place(_ channel: Int64, _ platform: Int) -> ReachPlace {
    if let known = places[channel]?[platform] { return known }
    let name = question.profiles.platforms[platform]
    let made = ReachPlace(Group(channel: question.vocabulary.name(channel), platform: name), question)
    places[channel, default: Array(repeating: nil, count: question.profiles.platforms.count)][platform] = made
    return made
  }
}

extension [Snapshot.Journeys] {
  /// One device's journey on a channel.
  fileprivate func journey(of device: UInt64, on channel: Int64) -> JourneyView? {
    for journeys in self where journeys.channel == channel {
      let devices = journeys.shard.devices
      let place = devices.firstPlace { $0 >= device }
      guard place < devices.count, devices[place] == device else { continue }
      return JourneyView(release: journeys.release, channel: channel, shard: journeys.shard, place: place)
    }
    return nil
  }
}
