internal import Console
internal import Lifecycle
internal import Store

/// A name that no device has said, like one that they have.
extension PublicationDraft {
  var app: PublicationSlip? {
    let (app, known) = (publication.app, vocabulary.apps)
    guard !known.contains(app), let near = suggestions(for: app, among: known.sorted()).first else { return nil }
    return .init(.unknownApp, "no device has named the app \(app) yet; did you mean \(near)?")
  }

  var label: PublicationSlip? {
    let label = publication.release.rawValue
    let known = vocabulary.releases.filter { $0.app == publication.app && $0.isNamed }.map(\.label.rawValue)
    guard !known.contains(label), let twin = known.first(where: { look($0) == look(label) }) else { return nil }
    return .init(
      .nearTwin,
      """
      no device has named \(label) yet, and it reads like \(twin); if that was meant, publish \(twin), and to take it back: \
      \(.withdraw(publication))
      """)
  }

  var channel: PublicationSlip? {
    let (channel, known) = (publication.channel, vocabulary.channels(of: publication.app))
    if !known.contains(channel), channel.contains(",") {
      return .init(
        .severalChannels,
        """
        \(channel) is taken as the name of one channel: publish to each of them apart; to take it back: \
        \(.withdraw(publication))
        """)
    }
    // A channel may be new on purpose; clients that name none are on that of their protocol, which need not be the one that is usual here.
    guard !known.isEmpty, !known.contains(channel) else { return nil }
    let names = known.sorted()
    let near = suggestions(for: channel, among: names).first.map { "did you mean \($0)?" }
    return .init(
      .unknownChannel,
      """
      no device was ever on channel \(channel); \(near ?? "devices are on \(firstFew(names)):") to take it back: \
      \(.withdraw(publication))
      """)
  }

  /// There are few platforms: one that no device has named is odd, whatever it looks like.
  var platform: PublicationSlip? {
    let known = vocabulary.platforms(of: publication.app).sorted()
    guard let platform = publication.platform, !known.isEmpty else { return nil }
    guard known.contains(platform) else {
      let near = suggestions(for: platform, among: known).first.map { "did you mean \($0)?" }
      let words = near ?? "devices are on \(known.joined(separator: ", ")):"
      return .init(
        .unknownPlatform,
        "no device was ever on platform \(platform); \(words) to take it back: \(.withdraw(publication))")
    }
    let twins = known.filter { $0 != platform && $0.lowercased() == platform.lowercased() }
    return twins.isEmpty
      ? nil
      : .init(
        .platformTwin, "some devices are on platform \(twins.joined(separator: ", ")), and this is not for them")
  }
}

/// What people see of a label: capitals, and letters that look like digits, are alike.
private func look(_ label: String) -> String {
  let alike: [Character: Character] = ["o": "0", "l": "1", "i": "1", "–": "-", "_": "-"]
  let seen = label.lowercased().filter { !$0.isWhitespace }.map { alike[$0] ?? $0 }
  return String(seen.first == "v" ? seen.dropFirst() : seen[...])
}
