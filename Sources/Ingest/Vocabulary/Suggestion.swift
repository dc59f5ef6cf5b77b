import Lifecycle

/// The word of `words` that a typing error most likely meant; nil when nothing is near.
func suggestion(for word: String, among words: [String]) -> String? {
  let typed = Array(word.lowercased().utf8.prefix(64))
  let ranked = words.map { (word: $0, distance: editDistance(typed, Array($0.lowercased().utf8))) }
  guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
  return best.distance <= max(1, typed.count / 3) ? best.word : nil
}
