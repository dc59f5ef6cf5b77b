import Lifecycle

@testable import Store

/// Everything that the folded tables say, in words: whatever order events came in, this must be the same.
func told(_ path: String) throws -> [String] {
  let snapshot = try Snapshot(path: path)
  let vocabulary = snapshot.vocabulary
  let labels = Dictionary(uniqueKeysWithValues: vocabulary.releases.map { ($0.id, $0.label.rawValue) })
  var lines: [String] = []
  for app in vocabulary.apps {
    try snapshot.walk(app: app, releases: Set(labels.keys)) { devices, journeys in
      for index in devices.devices.indices {
        let runs = devices.runs(index).map {
          "\(vocabulary.name($0.channel)) \($0.claim) \(labels[$0.release] ?? "-") \($0.start.rawValue)…\($0.end.rawValue)"
        }
        let profiles = devices.profiles(index).map {
          "\(vocabulary.profiles[$0.profile]?.appVersion ?? "-")@\($0.firstSeen.rawValue)"
        }
        lines.append("\(devices.devices[index]) \(runs.sorted()) \(profiles.sorted()) \(devices.bucket(index) ?? 255)")
      }
      for journey in journeys {
        for index in journey.shard.devices.indices {
          let firsts = Milestone.allCases.map { "\(journey.shard.first($0, index).rawValue)" }
          let reason = journey.shard.failureReason(index).map(vocabulary.name) ?? "-"
          lines.append(
            "\(labels[journey.release] ?? "") \(vocabulary.name(journey.channel)) \(journey.shard.devices[index]) \(firsts) \(reason)"
          )
        }
      }
    }
  }
  for app in vocabulary.apps {
    let (start, end) = (Timestamp(rawValue: 0), Timestamp(rawValue: 2_000_000_000_000))
    let need = Need(app: app, .everybody, wakes: .init(from: start, until: end))
    lines += try snapshot.scan(need, start: { [String]() }) { found, page in
      var wakes = page.wakes
      while let device = wakes.next() {
        for fact in wakes.facts {
          found.append(
            "\(device) \(fact.at.rawValue) \(fact.stage) \(fact.trigger) \(labels[fact.release] ?? "-") "
              + "\(vocabulary.name(fact.channel)) \(vocabulary.name(fact.platform)) \(fact.duration?.rawValue ?? -1)")
        }
      }
    }.joined()
  }
  for release in vocabulary.releases where !release.sightings.isEmpty {
    lines.append("\(release.label) \(release.sightings)")
  }
  return lines.sorted()
}

/// How many events arrived how late, folded or not: these counts alone would tell an event that is there twice.
func lags(_ path: String) throws -> [String: Int64] {
  let lags = try Snapshot(path: path).vocabulary.lags.map { ("\($0.app) \($0.day) \($0.seconds)", $0.events) }
  return Dictionary(lags, uniquingKeysWith: +).filter { $0.value != 0 }
}

/// A small generator of numbers that is the same everywhere.
struct Dice: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    let mixed = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
    return (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
  }
}
