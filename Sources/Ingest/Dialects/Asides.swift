public import Lifecycle

/// What a request says beside its protocol, in headers or in the query, for clients that cannot say it inside.
struct Asides {
  var app, channel, platform: String?
  var trigger: Trigger?

  init(_ request: ForeignRequest) {
    func said(_ name: String) -> String? {
      let value = request.headers["x-uptake-" + name] ?? request.query(name)
      return value.flatMap { $0.isEmpty ? nil : $0 }
    }
    app = said("app")
    channel = said("channel")
    platform = said("platform")
    trigger = said("trigger").map(Trigger.init(loosely:))
  }
}

extension ParsedRequest {
  /// Fills what the client left out: from the key, then from what the request says beside its protocol.
  /// - Parameters:
  ///   - recall: the channel that a device of an app named last.
  ///   - offered: the release that it was offered last, or that it has under way.
  public mutating func complete(
    _ request: ForeignRequest, keyApp: String?, keyChannel: String?, keyPlatform: String? = nil,
    recall: (_ app: String, _ device: String) -> String? = { _, _ in nil },
    offered: (_ app: String, _ device: String) -> String? = { _, _ in nil }
  ) {
    let asides = Asides(request)
    for place in drafts.indices {
      drafts[place].belong(to: keyApp, asides.app)
      var channel = drafts[place].channel
      if channel == nil, case .recalled = channels {
        channel = recall(drafts[place].app ?? "", drafts[place].device)
      }
      channel = channel ?? keyChannel ?? asides.channel
      if channel == nil, case .recalled(let otherwise) = channels { channel = otherwise }
      drafts[place].channel = channel
      drafts[place].platform = drafts[place].platform ?? keyPlatform ?? asides.platform
      if drafts[place].trigger == nil || drafts[place].trigger == .unknown { drafts[place].trigger = asides.trigger }
    }
    switch subjects {
    case .said: break
    case .offered: recallOffers(offered)
    case .underWay: recallUnderWay(offered)
    }
  }

  private mutating func recallOffers(_ offered: (_ app: String, _ device: String) -> String?) {
    for place in drafts.indices where drafts[place].release == nil && drafts[place].stage != .check {
      drafts[place].release = offered(drafts[place].app ?? "", drafts[place].device)
    }
    let unknown = drafts.count { $0.release == nil && $0.stage.releaseMeaning == .subject }
    guard unknown > 0 else { return }
    drafts.removeAll { $0.release == nil && $0.stage.releaseMeaning == .subject }
    drop("no_release", unknown)
  }
}

extension Draft {
  /// A key is for one app, whatever its clients call themselves. One that is certain of another is refused: stored under the key's, its
  /// event would be taken for one of that app.
  fileprivate mutating func belong(to keyApp: String?, _ aside: String?) {
    guard let keyApp, isAppCertain, let app, app != keyApp else { return app = keyApp ?? aside ?? app }
    fault = fault ?? .keyOf(keyApp)
  }
}

extension Trigger {
  /// The trigger that a word of a client's own choice means. What is not known is unknown, never a guess.
  public init(loosely word: String) { self = Self(anyWord: word) ?? .unknown }

  /// nil for a word that nobody knows, as opposed to `unknown`.
  init?(anyWord word: String) {
    guard let trigger = Self.words[word.lowercased().filter { $0.isLetter }] else { return nil }
    self = trigger
  }

  private static let words: [String: Trigger] = [
    "silentpush": .silentPush, "push": .silentPush, "backgroundpush": .silentPush, "remotenotification": .silentPush,
    "bgrefresh": .bgRefresh, "backgroundrefresh": .bgRefresh, "backgroundfetch": .bgRefresh, "scheduler": .bgRefresh,
    "bgapprefreshtask": .bgRefresh, "workmanager": .bgRefresh, "periodic": .bgRefresh, "background": .bgRefresh,
    "foreground": .foreground, "ondemand": .foreground, "ondemandupdate": .foreground, "manual": .foreground,
    "useropen": .foreground, "launch": .foreground, "appstart": .foreground, "resume": .foreground,
    "location": .location, "region": .location, "significantchange": .location, "unknown": .unknown,
  ]
}
