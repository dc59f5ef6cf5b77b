import Lifecycle

/// An event as Sentry's SDKs send it: who and where, and the breadcrumbs that led there.
struct SentryEvent {
  let breadcrumbs: [JSONValue]
  private let common: Draft
  private let expo: SentryExpo
  private let at: Timestamp?
  private let tags: JSONValue
  private let contexts: JSONValue
  private let failure: SentryFailure?

  init(_ event: JSONValue, project: String) {
    let crumbs = event["breadcrumbs"]
    breadcrumbs = crumbs?["values"]?.array ?? crumbs?.array ?? []
    let contexts = event["contexts"] ?? .null
    self.contexts = contexts
    tags = Self.tags(event["tags"])
    let (os, device, app) = (contexts["os"], contexts["device"], contexts["app"])
    let release = event["release"]?.text
    let installation =
      event["user"]?["id"] ?? device?["id"] ?? app?["device_app_hash"] ?? contexts["installation"]?["id"]
    var common = Draft(.check, device: installation?.word ?? "")
    common.app = app?["app_identifier"]?.text ?? release.flatMap(Self.package) ?? "sentry:" + project
    common.platform = os?["name"]?.text.map { $0.lowercased() }
    common.osVersion = os?["version"]?.word
    common.appVersion = app?["app_version"]?.word ?? release.map(Self.version)
    common.sdkVersion = event["sdk"]?["version"]?.word
    common.emulator = device?["simulator"]?.bool
    common.deviceModel = device?["model"]?.word
    expo = SentryExpo(contexts: contexts, tags: tags)
    common.channel = (tags["ota.channel"] ?? contexts["ota"]?["channel"])?.word ?? expo.channel
    common.trigger = (tags["ota.mechanism"] ?? contexts["ota"]?["mechanism"])?.word.map(Trigger.init(loosely:))
    self.common = common
    at = Draft.time(event["timestamp"])
    failure = SentryFailure(event)
  }

  /// That an update of Expo's, or the build from the store, crashed: nil where the event tells of no crash, or does not say what ran. A
  /// tag may name the update that is on its way.
  var crash: Draft? {
    guard let failure, let running = expo.running(appVersion: common.appVersion) else { return nil }
    var crash = common
    (crash.stage, crash.release, crash.at) = (.crashed, running, at)
    (crash.reason, crash.id) = (failure.reason, failure.id)
    return crash
  }

  /// That the device runs an update of Expo's, once an hour: nil where it says nothing of the kind.
  ///
  /// SDKs send a transaction for every screen; more checks of the same would only fill the database.
  var check: Draft? {
    guard let running = expo.running(appVersion: common.appVersion) else { return nil }
    var check = common
    (check.release, check.at) = (running, at)
    if let at, !check.device.isEmpty {
      check.id = Draft.identity(["expo.updates", check.device, running, String(at.rawValue / 3_600_000)])
    }
    return check
  }

  /// The events that the breadcrumbs tell of, in their order; none for a breadcrumb of something else. Devices may be missing.
  var drafts: [[Draft]] {
    var found: String?
    return breadcrumbs.map { value in
      guard let crumb = ExpoCrumb(value) else { return draft(of: value).map { [$0] } ?? [] }
      found = crumb.update ?? found
      var base = common
      base.at = Draft.time(value["timestamp"])
      return crumb.drafts(base, running: expo.running(appVersion: common.appVersion), found: found)
    }
  }

  /// The event that a breadcrumb tells of; nil where it tells of something else. Its device may be missing.
  func draft(of value: JSONValue) -> Draft? {
    guard let crumb = LifecycleCrumb(value) else { return nil }
    var draft = common
    draft.stage = crumb.stage
    draft.trigger = crumb.trigger ?? common.trigger
    draft.at = Draft.time(value["timestamp"])
    crumb.describe(&draft)
    if draft.release == nil { draft.release = release(for: crumb.stage) }
    return draft
  }

  /// What the event as a whole says of the release; only what runs is known from Expo's own context.
  private func release(for stage: Stage) -> String? {
    let said = tags["ota.update_id"] ?? tags["ota.release"] ?? contexts["ota"]?[["release", "update_id"]]
    if let said = said?.word { return said }
    switch stage.releaseMeaning {
    case .running: return expo.running(appVersion: common.appVersion)
    case .subject, .optional: return nil
    }
  }

  /// Tags are an object, or an array of pairs.
  private static func tags(_ value: JSONValue?) -> JSONValue {
    guard let pairs = value?.array else { return value ?? .null }
    return .object(
      pairs.compactMap { pair in
        guard let pair = pair.array, pair.count == 2, let name = pair[0].text else { return nil }
        return JSONValue.Member(name: name, value: pair[1])
      })
  }

  /// `com.example.app@4.2.0+120`
  private static func package(_ release: String) -> String? {
    release.contains("@") ? String(release.prefix { $0 != "@" }) : nil
  }

  private static func version(_ release: String) -> String {
    let version = release.contains("@") ? release.drop { $0 != "@" }.dropFirst() : release[...]
    return String(version.prefix { $0 != "+" })
  }
}
