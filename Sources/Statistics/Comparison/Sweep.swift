/// A generalised inverse of a positive semidefinite matrix, and its rank.
///
/// Sweeps pivot by pivot and leaves out those that the pivots before them explain.
func generalizedInverse(_ matrix: [[Double]]) -> (inverse: [[Double]], rank: Int) {
  var a = matrix
  var kept: [Int] = []
  for k in a.indices where a[k][k] > 1e-10 * matrix[k][k] && matrix[k][k] > 0 {
    sweep(&a, pivot: k)
    kept.append(k)
  }
  let inverse = a.indices.map { i in
    a.indices.map { j in kept.contains(i) && kept.contains(j) ? a[i][j] : 0 }
  }
  return (inverse, kept.count)
}

private func sweep(_ a: inout [[Double]], pivot k: Int) {
  let diagonal = a[k][k]
  let row = a[k].map { $0 / diagonal }
  for i in a.indices where i != k {
    let factor = a[i][k]
    for j in a.indices { a[i][j] -= factor * row[j] }
    a[i][k] = -factor / diagonal
  }
  a[k] = row
  a[k][k] = 1 / diagonal
}

func times(_ matrix: [[Double]], _ vector: [Double]) -> [Double] {
  matrix.map { row in zip(row, vector).reduce(0) { $0 + $1.0 * $1.1 } }
}

func dot(_ left: [Double], _ right: [Double]) -> Double { zip(left, right).reduce(0) { $0 + $1.0 * $1.1 } }
