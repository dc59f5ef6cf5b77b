internal import Console
internal import Lifecycle
internal import Query
internal import Store

extension Invocation {
  /// Says what looks like a slip of the pen: a newer release ends the turn of the one that was meant. Before anything was heard of,
  /// nothing does.
  func noteSlips(_ publications: [Publication], _ path: String) throws {
    guard let vocabulary = try? Snapshot(path: path).vocabulary else { return }
    for publication in publications {
      let slips = [slip(ofLabel: publication, vocabulary), slip(ofChannel: publication, vocabulary)]
      for slip in slips.compactMap(\.self) { try noteOnce("note: \(slip)") }
    }
  }

  private func slip(ofLabel publication: Publication, _ vocabulary: Vocabulary) -> String? {
    let label = publication.release.rawValue
    let known = vocabulary.releases.filter { $0.app == publication.app }.map(\.label.rawValue)
    guard !known.contains(label), let twin = known.first(where: { look($0) == look(label) }) else { return nil }
    return "no device has named \(label) yet, and it reads like \(twin); if that was meant, publish \(twin),"
      + " and take this one back: publish it again with --at 9999-01-01T00:00:00Z"
  }

  private func slip(ofChannel publication: Publication, _ vocabulary: Vocabulary) -> String? {
    func slip(_ kind: String, _ word: String, _ known: Set<String>) -> String? {
      guard !known.contains(word), let near = suggestions(for: word, among: known.sorted()).first else { return nil }
      return "no device was ever on \(kind) \(word); did you mean \(near)?"
    }
    let (app, platform) = (publication.app, publication.platform)
    return slip("channel", publication.channel, vocabulary.channels(of: app))
      ?? platform.flatMap { slip("platform", $0, vocabulary.platforms(of: app)) }
  }
}

/// What people see of a label: capitals, and letters that look like digits, are alike.
private func look(_ label: String) -> String {
  let alike: [Character: Character] = ["o": "0", "l": "1", "i": "1", "–": "-", "_": "-"]
  let seen = label.lowercased().filter { !$0.isWhitespace }.map { alike[$0] ?? $0 }
  return String(seen.first == "v" ? seen.dropFirst() : seen[...])
}
