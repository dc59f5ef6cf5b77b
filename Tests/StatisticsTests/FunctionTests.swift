import Testing

@testable import Statistics

/// Expected values: 30-digit arithmetic.
struct FunctionTests {
  @Test func usualQuantileIsExact() { #expect(normalQuantile(level: 0.95) == 1.959963984540054) }

  @Test(arguments: [
    (0.005, 2.5758293035489007609785767486), (0.1, 1.28155156554460046696510332945),
    (1e-12, 7.03448382530113192980951506899), (1e-300, 37.0470962993611992372229625079),
    (0.3, 0.524400512708040784038289325025), (0.5, 0), (0.7, -0.524400512708040784038289325025),
  ])
  func normal(_ tail: Double, _ expected: Double) {
    expectNear(normalQuantile(upperTail: tail), expected, relative: 1e-14, "tail \(tail)")
  }

  @Test(arguments: [
    (6.0, 0.1, 1.43975574726514841179081663644), (6, 0.025, 2.44691185114496997107129684555),
    (1, 0.1, 3.07768353717525340257029057604), (10, 0.1, 1.37218364111033562721915696766),
    (2.5, 0.001, 13.8221931108659646394190794733), (100, 0.025, 1.98397151852355228659518486799),
  ])
  func student(_ freedom: Double, _ tail: Double, _ expected: Double) {
    let t = studentQuantile(upperTail: tail, degreesOfFreedom: freedom)
    expectNear(t, expected, relative: 1e-12, "t of \(freedom)")
  }

  /// A table of small binomials by adding up Pascal's triangle.
  @Test func binomialTailsOfSmallSamples() {
    for n in Int64(1)...25 {
      for p in [0.01, 0.3, 0.5, 0.9] {
        var sum = 0.0
        for k in 0...n {
          let chosen = (0..<k).reduce(1.0) { $0 * Double(n - $1) / Double($1 + 1) }
          let term = chosen * power(p, k) * power(1 - p, n - k)
          sum += term
          expectNear(binomialCumulative(k, of: n, p), sum, relative: 1e-12, "P(X <= \(k)) of \(n) at \(p)")
          expectNear(
            logBinomial(Double(k), of: Double(n), p), logarithm(term), relative: 1e-11, floor: 1e-12, "P(X = \(k))")
        }
      }
    }
  }

  private func power(_ base: Double, _ exponent: Int64) -> Double {
    (0..<exponent).reduce(1) { product, _ in product * base }
  }

  /// The closed sums against plain loops, on both sides of the switch, with c whole and not.
  @Test(arguments: [1.0, 2, 31, 32, 33, 64, 65, 500, 20_000], [0.0, 0.25, 3, 40.5, 1e6])
  func fallingSums(_ count: Double, _ excess: Double) {
    let c = count + excess
    var product = LongProduct()
    let sums = FallingSums(from: c, count: count, &product)
    var (inverse, square, logs) = (CompensatedSum(), CompensatedSum(), CompensatedSum())
    for l in 0..<Int(count) {
      let x = c - Double(l)
      inverse.add(1 / x)
      square.add(1 / (x * x))
      logs.add(logarithm(x))
    }
    expectNear(sums.inverse, inverse.value, relative: 1e-13, "1/x from \(c)")
    expectNear(sums.inverseSquare, square.value, relative: 1e-13, "1/x² from \(c)")
    expectNear(product.logarithm, logs.value, relative: 1e-13, floor: 1e-13, "log x from \(c)")
  }

  /// So large a number has no neighbours: who counts up to the next one never gets there.
  @Test(arguments: [1e17, 1e169], [1.0, 5, 40]) func fallingSumsOfHugeNumbers(_ c: Double, _ count: Double) {
    var product = LongProduct()
    let sums = FallingSums(from: c, count: count, &product)
    #expect(sums.inverse.isFinite && sums.inverse > 0 && sums.inverse < 100 / c)
    #expect(product.logarithm.isFinite)
  }

  /// Beyond what one number holds, above 1 and below it.
  @Test(arguments: [1e-9, 0.9, 1, 1.1, 31.7, 1e9], [1, 16, 17, 1000.0])
  func longProducts(_ factor: Double, _ count: Double) {
    var product = LongProduct()
    for _ in 0..<100 { product.multiply(factor, times: count) }
    let expected = 100 * count * logarithm(factor)
    expectNear(product.logarithm, expected, relative: 1e-13, floor: 1e-13, "\(count) times \(factor)")
  }

  @Test func compensatedSumsKeepSmallTerms() {
    var sum = CompensatedSum()
    sum.add(1e16)
    for _ in 0..<1_000 { sum.add(0.1) }
    sum.add(-1e16)
    expectNear(sum.value, 100, relative: 1e-12, "sum")
  }

  @Test func generalizedInverseLeavesOutWhatIsExplained() {
    let (inverse, rank) = generalizedInverse([[2, -2], [-2, 2]])
    #expect(rank == 1 && inverse == [[0.5, 0], [0, 0]])
    #expect(generalizedInverse([[0, 0], [0, 4]]).rank == 1)
    #expect(generalizedInverse([]).rank == 0)
  }

  @Test func radixSortSortsLikeSort() {
    var random = SplitMix(seed: 11)
    for bits in [1, 8, 11, 22, 23, 32] {
      for lengths in [[], [3], [512], [513], [100, 0, 4_000, 1]] {
        let pieces = lengths.map { (0..<$0).map { _ in UInt32(random.next() >> UInt64(64 - bits)) } }
        #expect(radixSorted(pieces) == pieces.joined().sorted())
      }
    }
  }
}
