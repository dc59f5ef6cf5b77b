internal import Console
internal import Query
internal import Statistics

extension Sequence where Element == RiskCounts {
  /// What stands behind the estimates: how many updated, why others stopped counting, who was left out and why.
  var notes: [String] {
    let all = Array(self)
    // Every group is withheld: nothing can be said, least of all that there were no devices.
    guard !all.isEmpty else { return [] }
    let events = all.reduce(0) { $0 + $1.events }
    let newer = all.reduce(0) { $0 + $1.newerRelease }
    let censored = summed(all.map(\.censoredBy), Censoring.allCases.map { ($0.rawValue, $0.words) })
    let excluded = summed(all.map(\.excluded), Exclusion.allCases.map { ($0.rawValue, $0.words) }, one: Exclusion.one)
    let remarks = summed(all.map(\.remarks), Remark.allCases.map { ($0.rawValue, $0.words) })
    var lines = ["\(counted(all.reduce(0) { $0 + $1.devices }, "device")): \(grouped(events)) updated"]
    if newer > 0 { lines[0] += ", \(grouped(newer)) went to a newer release" }
    if !censored.isEmpty { lines[0] += "; not updated while watched: " + censored }
    if !excluded.isEmpty { lines.append("left out: " + excluded) }
    let looked = all.reduce(0) { $0 + $1.devices + $1.excluded.values.reduce(0, +) }
    if !remarks.isEmpty { lines.append("of all \(counted(looked, "device")): " + remarks) }
    return lines
  }
}

/// `1 device`, `1,622 devices`.
public func counted(_ count: Int, _ noun: String) -> String { "\(grouped(count)) \(noun)\(count == 1 ? "" : "s")" }

/// `12 fell silent, 3 changed the channel`: what is not 0, in the order of the vocabulary.
///
/// - Parameter one: words for one, where they are others.
private func summed(
  _ counts: [[String: Int]], _ vocabulary: [(key: String, words: String)], one: [String: String] = [:]
) -> String {
  vocabulary.compactMap { key, words in
    let count = counts.reduce(0) { $0 + ($1[key] ?? 0) }
    return count == 0 ? nil : "\(grouped(count)) \(count == 1 ? one[key] ?? words : words)"
  }.joined(separator: ", ")
}

extension Censoring {
  fileprivate var words: String {
    switch self {
    case .cutOff: "to the end of the data"
    case .silent: "until they fell silent"
    case .switched: "until they changed the channel"
    case .superseded: "until the next release came"
    case .halted: "until the rollout was halted"
    }
  }
}

extension Exclusion {
  fileprivate static let one = [Exclusion.emulator.rawValue: "emulator"]

  fileprivate var words: String {
    switch self {
    case .bornOn: "that came with the release or a newer one"
    case .firstSeenAtUpdate: "first seen as they updated"
    case .skewExcluded: "that say they updated before publication"
    case .beforeEligibility: "that updated before their rollout step"
    case .neverReachable: "silent for longer than the reach window"
    case .notEligible: "that could not have it in time (no rollout step let them, or first seen after its turn)"
    case .emulator: "emulators"
    }
  }
}

extension Remark {
  fileprivate var words: String {
    switch self {
    case .skewClamped: "updated within the clocks' tolerance before publication"
    case .future: "with contacts after the cutoff (those are ignored)"
    case .impliedByCheck: "known to run it only from a later check"
    case .fromFirstOffer: "counted from their first offer"
    }
  }
}
