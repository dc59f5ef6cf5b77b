import Lifecycle
import Store
import Testing

/// A fleet in which one device does what a story says, in two databases: one is summarised, of the other every device is counted.
///
/// Releases 0 to 4 are published on days 0, 10, 40, 60 and 70. Somebody is there all the time, so that everything is known up to the
/// last day; and in each shard is somebody who updated.
struct StoryFleet {
  typealias Said = (day: Double, said: String)

  /// What the one device said in all its life: what is known when it is summarised, and what comes later.
  struct Story {
    var title: String
    var known: [Said]
    var later: [Said] = []
    /// Whether it is counted twice.
    var twice: Int
    /// Of the question.
    var day = 92.0
  }

  let summarised: Fleet
  let counted: Fleet

  /// - Parameters:
  ///   - known: of the one device, before anything is summarised.
  ///   - days: of the other.
  ///   - crowd: those who updated.
  ///   - percent: how far the rollout of release 4 came; nil where it came to all at once.
  ///   - beta: a release that came to another channel, too.
  init(known: [Said], days: [Double], crowd: Int = 300, percent: Double? = nil, beta: String? = nil) throws {
    (summarised, counted) = (try Fleet(), try Fleet())
    let updated: [Said] = [(1, "check 0"), (45, "applied 2"), (75, "check 2")]
    let others = Self.lines("other", days.map { ($0, "check 0") })
    let rest = (0..<crowd).map { Self.lines("another\($0)", updated) }.joined()
    for fleet in [summarised, counted] {
      try fleet.publish(
        [("0", 0), ("1", 10), ("2", 40), ("3", 60), ("4", 70)].map { release, day in
          let at = LivingFleet.epoch + .days(Int64(day))
          return Publication(
            app: LivingFleet.app, release: ReleaseLabel(rawValue: release), channel: "production", publishedAt: at,
            rollout: release == "4" ? percent.map { [RolloutStep(at: at, percent: $0)] } ?? [] : [])
        })
      if let beta {
        let at = LivingFleet.epoch + .days(5)
        try fleet.publish([
          Publication(app: LivingFleet.app, release: ReleaseLabel(rawValue: beta), channel: "beta", publishedAt: at)
        ])
      }
      try fleet.load(others + rest + Self.lines("one", known))
    }
  }

  /// - Parameter other: when the other is heard of again.
  func hear(_ later: [Said], other: Double) throws {
    let lines = Self.lines("other", [(other, "check 0")]) + Self.lines("one", later)
    for fleet in [summarised, counted] { try fleet.load(lines, fold: false) }
  }

  static func at(_ day: Double) -> Timestamp { LivingFleet.epoch + Milliseconds(rawValue: Int64(day * 86_400_000)) }

  /// "beta 0" is a check of release 0 on another channel, "check 0 90" one that names the device's rollout bucket,
  /// "check! 0" one of an emulator.
  private static func lines(_ device: String, _ told: [Said]) -> String {
    told.map { day, said in
      let words = said.split(separator: " ")
      let bucket = words.count > 2 ? #","bucket":\#(words[2])"# : ""
      let release = words.count > 1 ? #","release":"\#(words[1])""# : ""
      let channel = words[0] == "beta" ? #","channel":"beta""# : ""
      let stage = words[0] == "beta" ? "check" : words[0].prefix { $0 != "!" }
      let emulator = words[0].hasSuffix("!") ? #","emulator":true"# : ""
      let rest = release + channel + bucket + emulator
      return #"{"device":"\#(device)","stage":"\#(stage)"\#(rest),"at":"\#(at(day).rfc3339)"}"#
        + "\n"
    }.joined()
  }
}
