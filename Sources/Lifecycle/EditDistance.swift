/// How many elements to insert, delete, replace or swap with a neighbour: restricted Damerau–Levenshtein distance (optimal
/// string alignment), in O(n·m).
@inlinable public func editDistance<Element: Equatable>(_ left: [Element], _ right: [Element]) -> Int {
  var (before, previous) = ([Int](), Array(0...right.count))
  for row in left.indices {
    var current = [row + 1]
    for column in right.indices {
      let replaced = previous[column] + (left[row] == right[column] ? 0 : 1)
      var best = min(replaced, previous[column + 1] + 1, current[column] + 1)
      if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
        best = min(best, before[column - 1] + 1)
      }
      current.append(best)
    }
    (before, previous) = (previous, current)
  }
  return previous[right.count]
}
