import Lifecycle

/// What a request says about one app.
struct OmahaApp {
  let base: Draft
  /// Whether it asked, or said that it is alive.
  let isCheck: Bool
  let events: [XMLElement]
  private let version: String?

  init(_ app: XMLElement, in request: XMLElement) {
    let os = request.children("os").first
    let device = app["machineid"] ?? request["userid"] ?? app["userid"] ?? app["bootid"]
    version = app["version"].flatMap { $0 == Self.unknownVersion ? nil : $0 }
    var base = Draft(.check, device: device ?? "", release: version)
    base.app = app["appid"]
    base.channel = app["track"]
    base.appVersion = version
    base.platform = os?["platform"]?.lowercased()
    base.osVersion = os?["version"]
    base.sdkVersion = request["updaterversion"] ?? request["version"]
    base.trigger = (app["installsource"] ?? request["installsource"]).map(Trigger.init(loosely:))
    self.base = base
    isCheck = !app.children("ping").isEmpty || !app.children("updatecheck").isEmpty
    events = Array(app.children("event").prefix(1000))
  }

  /// nil where nobody knows what the event means. While an update is under way `version` is still the old one: what it is
  /// about stands in `nextversion`, or is what the device was offered last.
  func drafts(of event: XMLElement) -> [Draft]? {
    let next = event["nextversion"] ?? base.release(after: event["previousversion"])
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
    case ("3", "1"): return told(next, .applied)
    // It has restarted into what it says that it runs.
    case ("3", "2"): return told(next ?? (previous == base.release ? nil : base.release), .applied, .confirmed)
    case ("13", "1"): return told(next, .downloadStarted)
    case ("14", "1"): return told(next, .downloadCompleted)
    case ("800", "1"): return told(next, .ready)
    default: return nil
    }
  }

  static let unknownVersion = "0.0.0.0"
}

extension Draft {
  /// The version that runs now, where it is another than before.
  fileprivate func release(after previous: String?) -> String? {
    previous != nil && previous != release && previous != OmahaApp.unknownVersion ? release : nil
  }
}
