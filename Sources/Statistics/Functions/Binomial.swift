import Glibc

/// log P(X = k) of n trials with probability p, 0 < p < 1; no large factorial is formed.
func logBinomial(_ k: Double, of n: Double, _ p: Double) -> Double {
  logBetaWeight(p, 1 - p, k + 1, n - k + 1) - log(n + 1) - log(p) - log1p(-p)
}

/// P(X <= k) of n trials with probability p.
func binomialCumulative(_ k: Int64, of n: Int64, _ p: Double) -> Double {
  if k < 0 { return 0 }
  return k >= n ? 1 : betaTails(p, Double(k + 1), Double(n - k)).upper
}

/// The smallest k with P(X <= k) >= probability.
func binomialQuantile(_ probability: Double, of n: Int64, _ p: Double) -> Int64 {
  var (low, high) = (Int64(0), n)
  while low < high {
    let middle = (low + high) / 2
    if binomialCumulative(middle, of: n, p) >= probability { high = middle } else { low = middle + 1 }
  }
  return low
}
