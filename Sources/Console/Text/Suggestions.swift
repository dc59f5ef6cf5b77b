internal import Lifecycle

/// The candidates nearest to a mistyped word, best first, at most three; none when nothing is near.
///
/// Near means: at most a third of the word mistyped (restricted Damerau–Levenshtein distance: insert, delete, replace,
/// swap neighbours), or the word begins the candidate. Upper and lower case are alike.
public func suggestions(for word: String, among candidates: [String]) -> [String] {
  let typed = Array(word.lowercased())
  guard !typed.isEmpty else { return [] }
  let scored = candidates.compactMap { candidate -> (distance: Int, candidate: String)? in
    let known = Array(candidate.lowercased())
    let begins = typed.count >= 2 && known.starts(with: typed)
    let distance = begins ? 1 : editDistance(typed, known)
    return distance <= max(1, max(typed.count, known.count) / 3) ? (distance, candidate) : nil
  }
  let sorted = scored.sorted { ($0.distance, $0.candidate) < ($1.distance, $1.candidate) }
  guard let best = sorted.first?.distance else { return [] }
  return sorted.prefix { $0.distance == best }.prefix(3).map(\.candidate)
}
