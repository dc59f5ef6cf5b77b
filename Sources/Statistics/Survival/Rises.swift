/// Chooses few steps of a rising curve, so that what is left out between two of them is small: the first, the last, and the first
/// step at each of equal heights between.
///
/// A curve that holds each height up to the next step chosen lies at no tick by more than `top / (points - 1)` below the true one, however
/// unequal steps are. Tested in Tests/StatisticsTests/StretchLawTests.
struct Rises {
  private let steps: Int
  private let top: Double
  private let parts: Int
  /// The height waited for, in parts of the whole.
  private var next = 0

  /// - Parameters:
  ///   - steps: how many the curve has.
  ///   - top: its height after the last one.
  ///   - points: at least 2, else all steps are taken.
  init(of steps: Int, to top: Double, atMost points: Int) {
    (self.steps, self.top) = (steps, top)
    parts = points > 1 && steps > points ? points - 1 : .max
  }

  /// Whether one of the first so many steps, which lead to a height, is to be taken still.
  func wants(_ number: Int, _ height: Double) -> Bool {
    guard number > 0 else { return false }
    return next == 0 || parts == .max || number == steps || isReached(by: height)
  }

  /// Whether to take a step; each is asked about once, in order.
  mutating func takes(_ number: Int, _ height: Double) -> Bool {
    guard wants(number, height) else { return false }
    next += 1
    while parts < .max, isReached(by: height) { next += 1 }
    return true
  }

  /// The last part is the last step's.
  private func isReached(by height: Double) -> Bool {
    next < parts && height >= top * Double(next) / Double(parts)
  }
}
