public import Lifecycle

/// What a request says beside its body, in headers or in the query, for clients that cannot say it inside.
public struct Asides: Sendable {
  var app, channel, platform: String?
  var trigger: Trigger?
  /// What is not read, and may have been meant: events are taken all the same, as whoever sends them cannot mend it.
  public private(set) var problems: [AsideProblem] = []

  /// Nothing.
  public init() {}

  init(_ request: ForeignRequest) {
    app = request.aside("app")
    channel = request.aside("channel")
    platform = request.aside("platform")
    guard let word = request.aside("trigger") else { return }
    trigger = Trigger(loosely: word)
    if Trigger(anyWord: word) == nil { problems.append(AsideProblem(unknownTrigger: word)) }
  }

  /// What holds for native events that do not say it themselves.
  ///
  /// - Parameters:
  ///   - header: the value of a header by its name in lower case.
  ///   - query: in the order of the address; a header goes before it.
  public init(
    header: (String) -> String?, query: [(name: String, value: String)]
  ) throws(AsideProblem) {
    problems = query.compactMap { AsideProblem(parameter: $0.name) }
    func said(_ long: String, _ name: String) -> String? {
      let value = header(long) ?? query.first { $0.name == name }?.value
      return value.flatMap { $0.isEmpty ? nil : $0 }
    }
    app = try AsideProblem.checked(said("x-uptake-app", "app"), as: .app)
    channel = try AsideProblem.checked(said("x-uptake-channel", "channel"), as: .channel)
    platform = try AsideProblem.checked(said("x-uptake-platform", "platform"), as: .platform)
    if let word = said("x-uptake-trigger", "trigger") {
      trigger = Trigger(loosely: word)
      if Trigger(anyWord: word) == nil { problems.append(AsideProblem(unknownTrigger: word)) }
    }
  }
}

/// What is wrong with something that stands beside a body.
public struct AsideProblem: Error, Equatable, Sendable {
  public var code: String
  public var message: String

  /// nil where the parameter may stand in the address of native events: those that hold for all of them, and what clients
  /// put there for reasons of their own. Names of fields are refused, and what is nearly one that holds.
  init?(parameter name: String) {
    if Self.holding.contains(name) { return nil }
    code = "unknown_parameter"
    if name == "sentAt" || name == "sent_at" || name == "at" {
      message = "the address cannot say \"\(name)\"; send the header X-Uptake-Sent-At, or \"at\" in each event"
    } else if Self.ofEvents.contains(name) {
      message =
        "the address cannot say \"\(name)\"; put it into the events. What holds for all of them may stand there: "
        + Self.holding.joined(separator: ", ")
    } else if name.utf8.count >= 4, let near = suggestion(for: name, among: Self.holding) {
      message = "the parameter \"\(name)\" is not read; did you mean \"\(near)\"?"
    } else {
      return nil
    }
  }

  init(unknownTrigger word: String) {
    self.init(
      withText(word) { RejectionReason(code: .unknownTrigger, field: .trigger, detail: .text($0)).described })
  }

  private init(_ described: (code: String, message: String)) { (code, message) = described }

  static func checked(_ text: String?, as field: Field) throws(AsideProblem) -> String? {
    guard let text else { return nil }
    let problem: AsideProblem? = withText(text) { text in
      do throws(RejectionReason) {
        _ = try text.permitted(as: field)
        return nil
      } catch {
        return AsideProblem(error.described)
      }
    }
    if let problem { throw problem }
    return text
  }

  private static let holding = ["app", "channel", "platform", "trigger"]
  /// But for those whose names mean other things at other places.
  private static let ofEvents = Set(
    Field.allCases.filter { ![.id, .from, .push, .bytes, .received, .gateway, .foreign].contains($0) }
      .flatMap(\.spellings))
}

extension RejectionReason {
  fileprivate var described: (code: String, message: String) { (code.rawValue, message) }
}

extension ForeignRequest {
  fileprivate func aside(_ name: String) -> String? {
    let value = headers["x-uptake-" + name] ?? query(name)
    return value.flatMap { $0.isEmpty ? nil : $0 }
  }
}

extension ParsedRequest {
  /// Fills what the client left out: from the key, then from what the request says beside its protocol.
  /// - Parameters:
  ///   - recall: the channel that a device of an app named last.
  ///   - offered: the release that it was offered last, that it has under way, or that waits on it.
  public mutating func complete(
    _ request: ForeignRequest, keyApp: String?, keyChannel: String?, keyPlatform: String? = nil,
    recall: (_ app: String, _ device: String) -> String? = { _, _ in nil },
    offered: (_ app: String, _ device: String) -> String? = { _, _ in nil }
  ) {
    let asides = Asides(request)
    problems = asides.problems + drafts.compactMap(\.unknownTrigger).prefix(1).map(AsideProblem.init(unknownTrigger:))
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
    case .waiting: recallWaiting(offered)
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
    "silent": .silentPush, "apns": .silentPush, "fcm": .silentPush, "fetch": .bgRefresh, "refresh": .bgRefresh,
    "cron": .bgRefresh, "user": .foreground, "location": .location, "region": .location, "significantchange": .location,
    "unknown": .unknown,
  ]
}
