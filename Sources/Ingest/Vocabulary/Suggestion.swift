/// The word of `words` that a typing error most likely meant; nil when nothing is near.
func suggestion(for word: String, among words: [String]) -> String? {
  let typed = Array(word.lowercased().utf8.prefix(64))
  let ranked = words.map { (word: $0, distance: edits(typed, Array($0.lowercased().utf8))) }
  guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
  return best.distance <= max(1, typed.count / 3) ? best.word : nil
}

/// How many letters to insert, delete, replace or swap with a neighbour.
private func edits(_ left: [UInt8], _ right: [UInt8]) -> Int {
  var before: [Int] = []
  var above = Array(0...right.count)
  for (row, letter) in left.enumerated() {
    var current = [row + 1]
    for (column, other) in right.enumerated() {
      var best = min(above[column + 1] + 1, current[column] + 1, above[column] + (letter == other ? 0 : 1))
      if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
        best = min(best, before[column - 1] + 1)
      }
      current.append(best)
    }
    (before, above) = (above, current)
  }
  return above[right.count]
}
