import Lifecycle

/// The contract's rules that look at more than one field, or at what the receiver knows.
///
/// Claims are made of cells (`claim(_: Fields)`) and of drafts (`claim(_: DraftFields)`); both look at the fields in one
/// order, that in which a client is told what is wrong.
struct ClaimRules: ~Copyable {
  let reception: Reception
  let vocabulary = Vocabulary.shared
  /// Times of receipt that clients have no say in.
  var ignoredFields = 0
  /// The app that the key names; empty where it names none.
  private let keyApp: Text
  /// What events say that do not say it; empty where nothing stands in.
  private let beside: (app: Text, channel: Text, platform: Text)

  init(_ reception: Reception, keyApp: Text, beside: (app: Text, channel: Text, platform: Text)) {
    (self.reception, self.keyApp) = (reception, keyApp)
    self.beside = (beside.app, beside.channel.isEmpty ? vocabulary.production : beside.channel, beside.platform)
  }

  @inline(__always)
  func app(_ said: Text) throws(RejectionReason) -> Text {
    let said = said.isEmpty ? beside.app : said
    if keyApp.isEmpty { return try said.needed(as: .app) }
    if said.isEmpty || said.equals(keyApp) { return keyApp }
    let named = reception.app ?? ""
    // Files come with no key.
    let detail = reception.trustsReceived ? RejectionReason.Detail.importNames(named, said) : .keyNames(named, said)
    throw RejectionReason(code: .wrongApp, field: .app, detail: detail)
  }

  @inline(__always)
  func channel(_ said: Text) -> Text { said.isEmpty ? beside.channel : said }

  @inline(__always)
  func platform(_ said: Text) -> Text { said.isEmpty ? beside.platform : said }

  /// - Parameters:
  ///   - state: that of the app when it was called with a push.
  ///   - isStarting: whether the call started the app.
  @inline(__always)
  func trigger(_ said: Trigger?, of stage: Stage, state: AppState?, isStarting: Bool?) -> Trigger {
    if stage == .pushReceived, let state, let classified = PushCallback.trigger(appState: state, isStarting: isStarting)
    {
      return classified
    }
    return said ?? reception.trigger
  }
}
