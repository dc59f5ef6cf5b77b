// Only IEEE operations, which every machine rounds alike: the C library's `log` and `exp` may differ in the last bit from
// one processor to the next, and then the same seed would not give the same bytes.

/// Natural logarithm of a positive, finite number; relative error below 1e-13.
func ln(_ number: Double) -> Double {
  var (significand, exponent) = (number.significand, Double(number.exponent))
  if significand > 1.414213562373095 {
    significand /= 2
    exponent += 1
  }
  let ratio = (significand - 1) / (significand + 1)
  let square = ratio * ratio
  var series = 1.0 / 17
  var odd = 15.0
  while odd > 0 {
    series = series * square + 1 / odd
    odd -= 2
  }
  return exponent * 0.6931471805599453 + 2 * ratio * series
}

/// e to the power of a number between -700 and 700; relative error below 1e-13.
func exp(_ power: Double) -> Double {
  let halvings = (power / 0.6931471805599453).rounded()
  let rest = power - halvings * 0.6931471805599453
  var series = 1.0
  var divisor = 13.0
  while divisor > 0 {
    series = series * rest / divisor + 1
    divisor -= 1
  }
  return Double(sign: .plus, exponent: Int(halvings), significand: series)
}
