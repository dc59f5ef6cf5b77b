import Glibc

/// The natural logarithm of the regularised upper incomplete gamma function Q(a, x); it does not underflow.
func logGammaQ(_ a: Double, _ x: Double) -> Double {
  guard x > 0 else { return 0 }
  let logWeight = a * log(x) - x - lgamma(a).0
  guard x >= a + 1 else { return log1p(-exp(logWeight) * gammaSeries(a, x)) }
  return logWeight - log(gammaFraction(a, x))
}

private func gammaSeries(_ a: Double, _ x: Double) -> Double {
  var term = 1 / a
  var sum = term
  var n = a
  while abs(term) > abs(sum) * 1e-17 {
    n += 1
    term *= x / n
    sum += term
  }
  return sum
}

/// The continued fraction of Q, evaluated by the method of Lentz; Q is the weight divided by it.
private func gammaFraction(_ a: Double, _ x: Double) -> Double {
  var b = x + 1 - a
  var c = b
  var d = 0.0
  var fraction = b
  for i in 1...10_000 {
    let term = -Double(i) * (Double(i) - a)
    b += 2
    d = 1 / (b + term * d)
    c = b + term / c
    fraction *= c * d
    if abs(c * d - 1) < 1e-16 { break }
  }
  return fraction
}
