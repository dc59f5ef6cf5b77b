import Glibc

/// log of the beta function.
func logBeta(_ a: Double, _ b: Double) -> Double {
  (a - 0.5) * log(a / (a + b)) + b * log(b / (a + b)) + (log(2 * Double.pi) - log(b)) / 2
    + stirlingRemainder(a) + stirlingRemainder(b) - stirlingRemainder(a + b)
}

/// The regularised incomplete beta function I_x(a, b) and its complement, each without loss; y = 1 - x.
func betaTails(_ x: Double, _ a: Double, _ b: Double) -> (lower: Double, upper: Double) {
  let logs = logBetaTails(x, a, b)
  return (exp(logs.lower), exp(logs.upper))
}

/// The logarithms of both tails; they do not underflow.
func logBetaTails(_ x: Double, _ a: Double, _ b: Double) -> (lower: Double, upper: Double) {
  guard x > 0 else { return (-.infinity, 0) }
  guard x < 1 else { return (0, -.infinity) }
  let weight = logBetaWeight(x, 1 - x, a, b)
  if x < (a + 1) / (a + b + 2) {
    let lower = weight - log(a) + log(betaFraction(x, a, b))
    return (lower, logOfComplement(lower))
  }
  let upper = weight - log(b) + log(betaFraction(1 - x, b, a))
  return (logOfComplement(upper), upper)
}

private func logOfComplement(_ log: Double) -> Double { log1p(-exp(min(log, 0))) }

/// The x with I_x(a, b) = p, by Newton's method inside a shrinking bracket.
func betaQuantile(_ p: Double, _ a: Double, _ b: Double) -> Double {
  var (low, high) = (0.0, 1.0)
  var x = a / (a + b)
  for _ in 0..<200 {
    let excess = betaTails(x, a, b).lower - p
    if excess > 0 { high = x } else { low = x }
    let slope = exp(logBetaWeight(x, 1 - x, a, b)) / (x * (1 - x))
    var next = x - excess / slope
    if !(next > low && next < high) { next = low > 0 ? (low + high) / 2 : high / 4 }
    if abs(next - x) <= 4e-16 * x { return next }
    x = next
  }
  return x
}

/// The continued fraction of I_x by the method of Lentz; it takes about √max(a, b) steps.
private func betaFraction(_ x: Double, _ a: Double, _ b: Double) -> Double {
  var c = 1.0
  var d = 1 / (1 - (a + b) * x / (a + 1))
  var fraction = d
  var m = 1.0
  while m < 1_000_000 {
    let even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / (1 + even * d)
    c = 1 + even / c
    fraction *= c * d
    let odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / (1 + odd * d)
    c = 1 + odd / c
    fraction *= c * d
    if abs(c * d - 1) < 3e-16 { break }
    m += 1
  }
  return fraction
}
