import Glibc

/// A week of a rollout to 10, 30 and 100 % of the devices, as reports of each five minutes.
///
/// A device tries some hours after the step that lets it in. Half of the failures are downloads that break within minutes, the
/// others are rollbacks at the first launch; a success is reported at the first launch. So failures are heard of sooner than
/// successes, as with phones. A crash comes hours after the launch; whoever counts reports gets it as one more, of a failure.
struct SimulatedRollout {
  struct Step {
    /// Devices that began an attempt.
    var starts = 0
    /// Successes and failures that were reported.
    var reports = 0
    var failures = 0
  }

  static let stepsPerHour = 12
  static let hours = 168.0
  /// Hours until a device tries, and from there to its first launch, on average.
  private static let (wait, untilLaunch, untilBroken) = (14.0, 8.0, 0.1)
  /// From the launch to a crash, on average.
  static let untilCrash = 2.0
  private static let openings: [(share: Double, hour: Double)] = [(0.1, 0), (0.3, 24), (1, 48)]

  /// In hours since the publication; nil: never.
  struct Attempt {
    var start: Double
    var launch: Double?
    var failure: (hour: Double, isRollback: Bool)?
    var crash: Double?
  }

  private(set) var steps = [Step](repeating: Step(), count: Int(hours) * stepsPerHour)
  private(set) var looks = SimulatedLooks()

  /// - Parameters:
  ///   - broken: the share of failures that are downloads; nil: each as likely as not.
  ///   - crashing: of those that launch it.
  ///   - opened: when everybody may have it; nil: in steps.
  init(
    devices: Int, failing rate: Double, broken: Double? = nil, crashing: Double = 0, opened everybody: Double? = nil,
    _ random: inout Generator
  ) {
    for device in 0..<devices {
      let bucket = (Double(device) + 0.5) / Double(devices)
      let opened = everybody ?? Self.openings.first { bucket < $0.share }?.hour ?? 0
      let start = opened + Self.exponential(Self.wait, &random)
      let fails = Double.random(in: 0..<1, using: &random) < rate
      let isEarly = fails && Self.isDownload(broken, &random)
      let report = start + Self.exponential(isEarly ? Self.untilBroken : Self.untilLaunch, &random)
      count(start) { $0.starts += 1 }
      count(report) { $0.reports += 1 }
      var attempt = Attempt(start: start, launch: isEarly ? nil : report)
      if fails {
        count(report) { $0.failures += 1 }
        attempt.failure = (report, !isEarly)
      } else {
        attempt.crash = crash(report, crashing, &random)
      }
      looks.add(attempt)
    }
  }

  private static func isDownload(_ share: Double?, _ random: inout Generator) -> Bool {
    share.map { Double.random(in: 0..<1, using: &random) < $0 } ?? Bool.random(using: &random)
  }

  /// When a device that launched it crashes.
  private mutating func crash(_ launch: Double, _ crashing: Double, _ random: inout Generator) -> Double? {
    guard crashing > 0, Double.random(in: 0..<1, using: &random) < crashing else { return nil }
    let hour = launch + Self.exponential(Self.untilCrash, &random)
    count(hour) { step in
      step.reports += 1
      step.failures += 1
    }
    return hour
  }

  private mutating func count(_ hour: Double, _ change: (inout Step) -> Void) {
    let step = Int(hour * Double(Self.stepsPerHour))
    if steps.indices.contains(step) { change(&steps[step]) }
  }

  static func exponential(_ mean: Double, _ random: inout Generator) -> Double {
    -log(Double.random(in: Double.ulpOfOne..<1, using: &random)) * mean
  }
}
