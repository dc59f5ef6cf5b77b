internal import Console
internal import Query
public import Statistics

/// How a release stands on a channel, in numbers with their intervals.
public struct RolloutFigures: Codable, Equatable, Sendable {
  /// Eligible devices, and how many of them were seen to update.
  public var devices: Int
  public var updated: Int
  /// Updated of devices: counted, not estimated.
  public var observedShare: Double?
  /// `clockFromOffer` where nobody knows who was let have it: `observedShare` and `median` would be of those alone that were offered
  /// it, and are withheld; `adoption` is of all devices.
  public var observedReason: String?
  /// Share of devices that had updated at `adoptionSeconds` after publication, on the clock that starts there. Of a rollout in steps it is
  /// counted: its curve tells, for as long as nobody was let have it for longer, of the first steps alone.
  public var adoption: Estimate?
  public var adoptionSeconds: Int64?
  /// Seconds on each device's own clock.
  public var median: Estimate?
  /// First attempts, and how many of them failed.
  public var attempts: Int
  public var failed: Int
  public var failureRate: Estimate?
  public var failureLimit: Double?
  /// Updates by what delivered them.
  public var mechanisms: [String: Int]

  init(_ standing: Standing) {
    let (counts, failures) = (standing.own?.counts, standing.failed)
    devices = counts?.devices ?? 0
    updated = counts?.events ?? 0
    observedReason = counts?.observedReason?.rawValue
    observedShare = standing.isOfOffered ? nil : counts?.observedShare
    let counted = standing.facts.isStaged && !standing.isOfOffered && standing.latest?.share.value != nil
    adoption = counted ? standing.observed : standing.latest?.share
    adoptionSeconds = counted ? standing.facts.followed : standing.latest?.seconds
    median = standing.isOfOffered ? nil : standing.own?.quantiles.first { $0.p == 0.5 }?.seconds
    attempts = failures?.attempts ?? 0
    failed = failures?.failed ?? 0
    failureRate = failures?.rate
    failureLimit = failures?.stopRule.judged
    mechanisms = counts?.eventsByMechanism.filter { $0.value > 0 } ?? [:]
  }

  /// What delivered most of the updates; nil while there are none.
  public var leadingMechanism: String? {
    mechanisms.min { ($1.value, $0.key) < ($0.value, $1.key) }?.key
  }

  /// Name and number of everything that is known: counts, shares, limits of intervals.
  var numbers: [(name: String, value: Double)] {
    var numbers: [(String, Double?)] = [("devices", Double(devices)), ("updated", Double(updated))]
    numbers += [("observedShare", observedShare)]
    numbers += Self.parts("adoption", adoption) + [("adoptionSeconds", adoptionSeconds.map(Double.init))]
    numbers += Self.parts("medianSeconds", median)
    numbers += [("attempts", Double(attempts)), ("failed", Double(failed))]
    numbers += Self.parts("failureRate", failureRate) + [("failureLimit", failureLimit)]
    // Adding nothing makes 0 of -0, which a share of nobody can be.
    return numbers.compactMap { name, value in value.map { (name, $0 + 0) } }
  }

  private static func parts(_ name: String, _ estimate: Estimate?) -> [(String, Double?)] {
    [(name, estimate?.value), (name + "Lo", estimate?.lo), (name + "Hi", estimate?.hi)]
  }

  /// The same as JSON: what cannot be estimated is null, never 0.
  var json: JSON {
    var fields = Dictionary(uniqueKeysWithValues: numbers.map { ($0.name, Self.number($0.value)) })
    for name in ["adoption", "medianSeconds", "failureRate"] where fields[name] == nil { fields[name] = .null }
    return .object(fields)
  }

  static func number(_ value: Double) -> JSON {
    value.rounded() == value && value.magnitude < 1e15 ? .integer(Int(value)) : .number(Number.rounded(value))
  }
}

extension Standing {
  /// Who was seen to update, of those that could; nil where that is not told.
  fileprivate var observed: Estimate? {
    guard let counts = own?.counts, counts.observedReason == nil, counts.devices > 0 else { return nil }
    return Proportion(Int64(counts.events), of: Int64(counts.devices)).wilson(level: latest?.share.level ?? 0.95)
  }
}
