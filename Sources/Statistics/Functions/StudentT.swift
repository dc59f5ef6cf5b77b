/// The t whose upper tail is `tail` (below ½), for any positive degrees of freedom.
public func studentQuantile(upperTail tail: Double, degreesOfFreedom: Double) -> Double {
  let x = betaQuantile(2 * tail, degreesOfFreedom / 2, 0.5)
  return (degreesOfFreedom * (1 - x) / x).squareRoot()
}
