import Glibc

/// log Γ(x) less Stirling's (x - ½) log x - x + ½ log 2π: small, so that large factorials can be divided exactly.
func stirlingRemainder(_ x: Double) -> Double {
  guard x >= 15 else { return lgamma(x).0 - ((x - 0.5) * log(x) - x + log(2 * Double.pi) / 2) }
  let square = 1 / (x * x)
  let tail = 1.0 / 1_680 - square * (1.0 / 1_188 - square * 691.0 / 360_360)
  return (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1_260 - square * tail))) / x
}

/// log(x^a (1 - x)^b / B(a, b)) with y = 1 - x, accurate for counts of many millions: all large terms cancel on paper.
func logBetaWeight(_ x: Double, _ y: Double, _ a: Double, _ b: Double) -> Double {
  let total = a + b
  let deviance = a * logRatio(x, a / total) + b * logRatio(y, b / total)
  let root = (log(a) + log(b) - log(total) - log(2 * Double.pi)) / 2
  return deviance + root + stirlingRemainder(total) - stirlingRemainder(a) - stirlingRemainder(b)
}

/// log(x / reference), exact where they are near each other.
private func logRatio(_ x: Double, _ reference: Double) -> Double {
  abs(x - reference) < 0.5 * reference ? log1p((x - reference) / reference) : log(x / reference)
}
