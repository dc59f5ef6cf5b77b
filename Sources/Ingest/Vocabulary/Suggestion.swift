import Lifecycle

/// The optional field that somebody meant who named one that is not read; nil where nothing is near.
///
/// Those that every event needs are looked for where they are missing: beside them `state` is a field of its own.
public func fieldSuggestion(for name: String) -> String? {
  let plain = letters(of: name)
  if let same = optionalFields.first(where: { $0.lowercased() == plain }) { return same }
  return nearName(to: name, among: optionalFields)
}

/// More careful than `suggestion`: `version` is nobody's `osVersion`, and a field of its own is no mistake.
func nearName(to name: String, among words: [String]) -> String? {
  let count = name.utf8.count
  guard count >= 4, let near = suggestion(for: name, among: words) else { return nil }
  let distance = editDistance(Array(name.lowercased().utf8), Array(near.lowercased().utf8))
  return distance <= max(1, count / 4) ? near : nil
}

private let optionalFields = Field.allCases
  .filter { ![.device, .stage, .app, .received, .gateway, .foreign].contains($0) }.map { "\($0)" }

/// The word of `words` that a typing error most likely meant; nil when nothing is near.
func suggestion(for word: String, among words: [String]) -> String? {
  let typed = Array(word.lowercased().utf8.prefix(64))
  let ranked = words.map { (word: $0, distance: editDistance(typed, Array($0.lowercased().utf8))) }
  guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
  return best.distance <= max(1, typed.count / 3) ? best.word : nil
}
