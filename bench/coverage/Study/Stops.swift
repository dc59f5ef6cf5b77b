/// What a rule did over many rollouts.
public struct Stops: Sendable {
  public private(set) var rollouts = 0
  /// Of each that was stopped: devices that had begun an attempt, and the hours since the publication.
  private var exposed: [Int] = []
  private var hours: [Double] = []
  public var stopped: Int { exposed.count }
  public var share: Double { Double(stopped) / Double(max(rollouts, 1)) }

  mutating func add(_ stop: Int?, _ rollout: SimulatedRollout) {
    rollouts += 1
    guard let stop else { return }
    exposed.append(rollout.steps[...stop].reduce(0) { $0 + $1.starts })
    hours.append(Double(stop + 1) / Double(SimulatedRollout.stepsPerHour))
  }

  /// The middle one of those that were stopped; nil where none was.
  public var medians: (exposed: Int, hours: Double)? {
    stopped == 0 ? nil : (exposed.sorted()[stopped / 2], hours.sorted()[stopped / 2])
  }

  var words: String {
    let part = fixed(100 * share, 1)
    return medians.map { "\(part) %, \($0.exposed) devices, \(fixed($0.hours, 1)) h" } ?? "\(part) %"
  }
}
