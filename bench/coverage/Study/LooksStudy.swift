import Statistics

/// How often a gate on adoption passes a release that is just at its limit, looked at again and again while devices come in.
public struct LooksStudy: Sendable {
  /// Of one look, and of all looks together.
  public private(set) var once = 0
  public private(set) var always = 0
  public let fleets: Int
  private static let share = 0.4

  /// - Parameters:
  ///   - step: hours between looks.
  ///   - silent: of ten devices, so many fall silent within five days.
  ///   - growing: whether devices come over two weeks, or all at once.
  public init(fleets: Int, devices: Int, every step: Int64, silent: Int, growing: Bool, seed: UInt64) {
    self.fleets = fleets
    var random = Generator(state: seed)
    for _ in 0..<fleets {
      let lives = (0..<devices).map { _ in Self.life(silent, growing, &random) }
      var passed = (once: false, always: false)
      for hour in stride(from: 48, through: 384, by: Int(step)) where !passed.once || !passed.always {
        let standing = KaplanMeier(Self.table(lives, Int64(hour))).standing(at: 24)
        if standing.adoption(level: 0.95).lo ?? 0 > Self.share { passed.once = true }
        if !passed.always, standing.adoptionAtAllLooks(level: 0.95).lo ?? 0 > Self.share { passed.always = true }
      }
      once += passed.once ? 1 : 0
      always += passed.always ? 1 : 0
    }
  }

  private typealias Life = (at: Int64, after: Int64, silent: Int64)

  private static func life(_ silent: Int, _ growing: Bool, _ random: inout Generator) -> Life {
    let updates = Double.random(in: 0..<1, using: &random) < share
    return (
      at: growing ? Int64.random(in: 0..<336, using: &random) : 0,
      after: updates ? Int64.random(in: 1...24, using: &random) : .max,
      silent: Int.random(in: 0..<10, using: &random) < silent ? Int64.random(in: 1..<120, using: &random) : 10_000
    )
  }

  private static func table(_ lives: [Life], _ hour: Int64) -> LifeTable {
    LifeTable(
      intervals: lives.filter { $0.at < hour }.map { life in
        let watched = min(hour - life.at, life.silent)
        return life.after <= watched ? (0, life.after, .event(1)) : (0, watched, .censored(.cutOff))
      })
  }

  public static func table(fleets: Int) -> String {
    let rows = [(24, "daily"), (1, "hourly")].flatMap { step, words in
      [
        (0, true, "grows"), (3, true, "grows, three in ten fall silent"),
        (3, false, "all at once, three in ten fall silent"),
      ].map {
        silent, growing, fleet -> String in
        let study = LooksStudy(
          fleets: fleets, devices: 200, every: Int64(step), silent: silent, growing: growing, seed: 19)
        func percent(_ count: Int) -> String { fixed(Double(count) * 100 / Double(fleets), 1) + " %" }
        return "| \(words) | \(fleet) | \(percent(study.once)) | \(percent(study.always)) |\n"
      }
    }
    return "| looks | fleet | `adoption@24h.lo>0.4` | `adoption@24h.always.lo>0.4` |\n|---|---|---:|---:|\n"
      + rows.joined()
  }
}
