import Statistics

/// What limits a share to one side at an age where nobody, or everybody, has updated: its own method has no limits there.
struct OneSidedLimits {
  /// Where nobody has.
  private(set) var atMost: Double?
  /// Where all that were at risk have.
  private(set) var atLeast: Double?

  static let none = OneSidedLimits()
  private init() {}

  init(_ standing: KaplanMeier.Standing, _ share: Estimate, level: Double) {
    atMost =
      share.reason == .noEvents ? Proportion.boundWithoutEvents(among: Int64(standing.atRisk), level: level) : nil
    atLeast = standing.lowerLimitOfAll(level: level)
  }
}
