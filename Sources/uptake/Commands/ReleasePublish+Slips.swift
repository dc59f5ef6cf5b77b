internal import Console
internal import Lifecycle
internal import Query
internal import Store

extension Invocation {
  /// Says what looks like a slip of the pen: a newer release ends the turn of the one that was meant. Before anything was heard of,
  /// nothing does. Long ones have their commands on lines of their own, which may be pasted.
  func noteSlips(_ publications: [Publication], _ path: String) throws {
    guard let snapshot = try? Snapshot(path: path) else { return }
    let vocabulary = snapshot.vocabulary
    for publication in publications {
      let slips = try [
        slip(ofApp: publication, vocabulary), slip(ofLabel: publication, vocabulary),
        slip(ofChannel: publication, vocabulary), slip(ofPlatform: publication, vocabulary),
        slip(ofMove: publication, vocabulary), slip(ofFuture: publication), slip(ofSightings: publication, snapshot),
        slip(ofOrder: publication, snapshot), slip(ofSteps: publication, vocabulary),
      ]
      for line in slips.compactMap(\.self).flatMap({ "note: \($0)".split(separator: "\n") }) {
        try noteOnce(String(line))
      }
    }
  }

  private func slip(ofApp publication: Publication, _ vocabulary: Vocabulary) -> String? {
    let (app, known) = (publication.app, vocabulary.apps)
    guard !known.contains(app), let near = suggestions(for: app, among: known.sorted()).first else { return nil }
    return "no device has named the app \(app) yet; did you mean \(near)?"
  }

  private func takeBack(_ publication: Publication) -> String {
    "to take it back: \(pasted(publication.named("withdraw")))"
  }

  private func slip(ofLabel publication: Publication, _ vocabulary: Vocabulary) -> String? {
    let label = publication.release.rawValue
    let known = vocabulary.releases.filter { $0.app == publication.app && $0.isNamed }.map(\.label.rawValue)
    guard !known.contains(label), let twin = known.first(where: { look($0) == look(label) }) else { return nil }
    return "no device has named \(label) yet, and it reads like \(twin); if that was meant, publish \(twin),"
      + " and \(takeBack(publication))"
  }

  private func slip(ofChannel publication: Publication, _ vocabulary: Vocabulary) -> String? {
    let (channel, known) = (publication.channel, vocabulary.channels(of: publication.app))
    if !known.contains(channel), channel.split(separator: ",").allSatisfy({ known.contains(String($0)) }) {
      return "\(channel) is taken as the name of one channel: publish to each of them apart; \(takeBack(publication))"
    }
    guard !known.contains(channel), let near = suggestions(for: channel, among: known.sorted()).first else {
      return nil
    }
    return "no device was ever on channel \(channel); did you mean \(near)? \(takeBack(publication))"
  }

  /// There are few platforms: one that no device has named is odd, whatever it looks like.
  private func slip(ofPlatform publication: Publication, _ vocabulary: Vocabulary) -> String? {
    let known = vocabulary.platforms(of: publication.app).sorted()
    guard let platform = publication.platform, !known.isEmpty else { return nil }
    guard known.contains(platform) else {
      let near = suggestions(for: platform, among: known).first.map { "did you mean \($0)?" }
      let words = near ?? "devices are on \(known.joined(separator: ", ")):"
      return "no device was ever on platform \(platform); \(words) \(takeBack(publication))"
    }
    let twins = known.filter { $0 != platform && $0.lowercased() == platform.lowercased() }
    return twins.isEmpty
      ? nil : "some devices are on platform \(twins.joined(separator: ", ")), and this is not for them"
  }
}

/// What people see of a label: capitals, and letters that look like digits, are alike.
private func look(_ label: String) -> String {
  let alike: [Character: Character] = ["o": "0", "l": "1", "i": "1", "–": "-", "_": "-"]
  let seen = label.lowercased().filter { !$0.isWhitespace }.map { alike[$0] ?? $0 }
  return String(seen.first == "v" ? seen.dropFirst() : seen[...])
}
