import Glibc

extension PolledCurve {
  /// Limits that hold at all ages together, from the first to the last that anything is known of.
  ///
  /// Errors of the hazards are drawn from their likelihood's normal distribution; those of the curve are sums of them.
  public func simultaneousLimits(level: Double) -> CurveLimits {
    guard updates >= CurveLimits.fewestUpdates, lastTick > 0, let root = errorRoot else { return .none(level: level) }
    let last = Double(min(lastTick, Tick(finestEnds.last ?? 0)))
    let rows = (1...64).compactMap { step -> [Double]? in
      let tick = last * Double(step) / 64
      guard let error = fitError(by: tick), error > 0 else { return nil }
      return weights(by: tick, root).map { $0 / error }
    }
    return limits(level: level, rows)
  }

  /// - Parameter rows: what each of some independent errors adds at an age, in standard errors of that age.
  func limits(level: Double, _ rows: [[Double]]) -> CurveLimits {
    let (errors, weights) = (rows.first?.count ?? 0, rows.flatMap(\.self))
    var drawn = Array(repeating: 0.0, count: errors)
    let width = resampledWidth(level: level) { draws in
      for error in 0..<errors { drawn[error] = draws.next() }
      var (greatest, place) = (0.0, 0)
      while place < weights.count {
        var sum = 0.0
        for error in 0..<errors { sum += weights[place + error] * drawn[error] }
        greatest = max(greatest, abs(sum))
        place += errors
      }
      return greatest
    }
    return .simultaneous(level: level, width: width, ages: 0...lastTick)
  }

  /// What makes independent errors those of the hazards; nil where too little is known.
  var errorRoot: [[Double]]? { covariance.flatMap(choleskyRoot) }

  /// What each of the independent errors adds to -log(1 - adoption) at a tick.
  private func weights(by tick: Double, _ root: [[Double]]) -> [Double] {
    var weights = root.map { _ in 0.0 }
    for part in StepHazards.parts(0, tick, finestEnds) {
      for column in root.indices { weights[column] += part.part * root[part.cell][column] }
    }
    return weights
  }
}

/// The lower triangle L with LL' = M; nil where M is no covariance.
private func choleskyRoot(_ matrix: [[Double]]) -> [[Double]]? {
  var root = matrix.map { row in row.map { _ in 0.0 } }
  for row in matrix.indices {
    for column in 0...row {
      let known = (0..<column).reduce(0) { $0 + root[row][$1] * root[column][$1] }
      let rest = matrix[row][column] - known
      if row == column {
        guard rest > 0 else { return nil }
        root[row][row] = rest.squareRoot()
      } else {
        root[row][column] = rest / root[column][column]
      }
    }
  }
  return root
}
