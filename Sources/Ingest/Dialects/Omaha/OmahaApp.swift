import Lifecycle

/// What a request says about one app.
struct OmahaApp {
  let base: Draft
  /// Whether it asked, or said that it is alive.
  let isCheck: Bool
  let events: [XMLElement]
  private let version: String?

  /// - Parameter interactivity: `fg` or `bg`, as clients from 3.1 on say beside the body.
  init(_ app: XMLElement, in request: XMLElement, interactivity: String? = nil) {
    let os = request.children("os").first
    let device = app["machineid"] ?? request["machineid"] ?? request["userid"] ?? app["userid"] ?? app["bootid"]
    version = app["version"].flatMap { $0 == Self.unknownVersion ? nil : $0 }
    var base = Draft(.check, device: device ?? "", release: version)
    base.app = app["appid"]
    base.channel = app["track"] ?? app["release_channel"]
    base.appVersion = version
    base.platform = os?["platform"]?.lowercased()
    base.osVersion = os?["version"]
    base.sdkVersion = request["updaterversion"] ?? request["version"]
    base.trigger =
      (app["installsource"] ?? request["installsource"]).map(Trigger.init(loosely:))
      ?? interactivity.flatMap { ["fg": .foreground, "bg": .bgRefresh][$0] }
    self.base = base
    isCheck = !app.children("ping").isEmpty || !app.children("updatecheck").isEmpty
    events = Array(app.children("event").prefix(1000))
  }

  /// nil where nobody knows what the event means. While an update is under way `version` is still the old one: what it is
  /// about stands in `nextversion`, or is what the device was offered last.
  func drafts(of event: XMLElement) -> [Draft]? {
    let next = event["nextversion"] ?? base.release(after: event["previousversion"]) ?? nextOfSession
    let previous = event["previousversion"].flatMap { $0 == Self.unknownVersion ? nil : $0 }
    func told(_ release: String?, _ stages: Stage...) -> [Draft] {
      stages.map { stage in
        var draft = base
        (draft.stage, draft.release) = (stage, release)
        if stage == .applied { draft.from = previous }
        return draft
      }
    }
    switch (event["eventtype"], event["eventresult"]) {
    case ("3", "0"):
      var draft = base
      (draft.stage, draft.release, draft.reason) = (.failed, next, event["errorcode"].map { "error " + $0 })
      return [draft]
    // Installed: it waits for the restart, unless it says that the new version runs.
    case ("3", "1"): return told(next, next != nil && next == base.release ? .applied : .ready)
    // It has restarted into what it says that it runs.
    case ("3", "2"):
      if saysNothing(event) { return nil }
      return told(next ?? (previous == base.release ? nil : base.release), .applied, .confirmed)
    case ("13", "1"): return told(next, .downloadStarted)
    case ("14", "1"): return told(next, .downloadCompleted)
    case ("800", "1"): return told(next, .ready)
    default: return nil
    }
  }

  /// Update engines say that they have restarted with every check, and name a version before only where it is so.
  func saysNothing(_ event: XMLElement) -> Bool {
    guard (event["eventtype"], event["eventresult"]) == ("3", "2") else { return false }
    return [nil, Self.unknownVersion].contains(event["previousversion"]) && event["nextversion"] == nil
  }

  /// From 4.0 on only the event about the whole session names the version.
  private var nextOfSession: String? { events.lazy.compactMap { $0["nextversion"] }.first }

  static let unknownVersion = "0.0.0.0"
}

extension Draft {
  /// The version that runs now, where it is another than before.
  fileprivate func release(after previous: String?) -> String? {
    previous != nil && previous != release && previous != OmahaApp.unknownVersion ? release : nil
  }
}
