import Lifecycle

extension LogRecord {
  /// Names under which clients put what they say about updates: there is no convention yet.
  static let prefixes = ["ota.", "uptake.", "app.update.", "app.ota.", "update.", "swiftpatch."]

  static let tagPrefixes = prefixes.map { $0 + "tag." }

  /// The event that the record tells of; nil where it tells of something else. Its device may be missing.
  var draft: Draft? {
    var said = attributes
    if let members = body.members { said.merge(members) }
    let name = eventName ?? said["event.name"]
    let own = said.values.keys.contains { name in Self.prefixes.contains { name.hasPrefix($0) } }
    guard own || name.map(Self.isAboutUpdates) ?? false else { return nil }
    let words = [said.own("stage", "event", "lifecycle"), name.map(Self.lastWords), body.text]
    let found =
      words.lazy.compactMap { $0.flatMap(LooseStage.find) }.first
      ?? name.map(Self.lastWord).flatMap(LooseStage.find)
    let release = said.own("release", "update_id", "id", "release_hash", "releaseHash", "label", "to_version")
    // Who names stage and release meant an event, and is told of a slip; whoever does not speaks of something else.
    let unknown = release == nil ? nil : Self.prefixes.lazy.compactMap { said[$0 + "stage"] }.first
    guard found != nil || unknown != nil else { return nil }
    var draft = Draft(found?.stage ?? .check, device: said.device ?? resource.device ?? said.own("device") ?? "")
    draft.fault = found == nil ? unknown.map(Draft.Fault.stage) : wrongTime
    draft.describe(resource)
    draft.release = release
    draft.reason = found?.reason
    draft.say(said)
    if let version = scopeVersion, draft.sdkVersion == nil { draft.sdkVersion = version }
    draft.at = Draft.time(nanoseconds: time > 0 ? time : observedTime)
    return draft
  }

  /// A time that is not in nanoseconds, in this protocol's own terms.
  private var wrongTime: Draft.Fault? {
    let (field, number) = time > 0 ? ("timeUnixNano", time) : ("observedTimeUnixNano", observedTime)
    guard let at = Draft.time(nanoseconds: number), !at.isPermitted else { return nil }
    return .nanoseconds(field: field, number)
  }

  /// `app.update.download.started`: something with updates stands before the stage.
  private static func isAboutUpdates(_ name: String) -> Bool {
    let parts = name.lowercased().split { !$0.isLetter }
    return parts.dropLast().contains { LifecycleCrumb.categories.contains(String($0)) }
  }

  /// The last two parts of a dotted name, for stages that are spelled in two.
  private static func lastWords(_ name: String) -> String { name.split(separator: ".").suffix(2).joined() }
  private static func lastWord(_ name: String) -> String { name.split(separator: ".").suffix(1).joined() }
}

extension Attributes {
  /// The installation. A device's id is worse: it is personal, and two apps share it.
  var device: String? {
    self["app.installation.id", "expo.eas_client.id", "device.id", "service.instance.id", "user.id", "enduser.id"]
  }

  /// The first of these that it has, each under the prefixes of updates first.
  fileprivate func own(_ names: String...) -> String? {
    names.lazy.flatMap { name in LogRecord.prefixes.map { $0 + name } + [name] }.compactMap { self[$0] }.first
  }

  var deviceModel: String? { self["device.model.identifier", "device.model.name"] }
  var country: String? { self["geo.country.iso_code"] }

  /// `ota.tag.plan` is the tag `plan`.
  var tags: [String: String] {
    var found: [String: String] = [:]
    for start in LogRecord.tagPrefixes.reversed() {
      for (name, value) in values where name.hasPrefix(start) {
        found[String(name.dropFirst(start.count))] = value.word
      }
    }
    return found
  }
}

extension Draft {
  /// What a record says beside its stage, its release and its time; it goes before what its resource says.
  fileprivate mutating func say(_ said: Attributes) {
    if let word = said.own("mechanism", "trigger") { say(trigger: word) }
    channel = said.own("channel") ?? channel
    from = said.own("from_version", "from")
    reason = said.own("reason", "error.type") ?? said["error.type", "exception.type"] ?? reason
    push = said.own("push", "push_id")
    id = said["log.record.uid"]
    outcome = said.own("outcome").flatMap(Outcome.init(rawValue:))
    durationMs = said.own("duration_ms", "durationMs").flatMap(Int64.init)
    bytes = said.own("bytes", "size_bytes").flatMap(Int64.init)
    bucket = said.own("bucket").flatMap(Int64.init)
    arm = said.own("arm")
    emulator = ["true": true, "false": false][said.own("emulator") ?? ""]
    appState = said.own("app_state", "appState").flatMap(AppState.init(rawValue:))
    appIsStarting = ["true": true, "false": false][said.own("app_is_starting", "appIsStarting") ?? ""]
    network = said["network.connection.type"] ?? said.own("network")
    region = said.own("region") ?? said.country ?? region
    deviceModel = said.own("device_model", "deviceModel") ?? said.deviceModel ?? deviceModel
    tags.merge(said.tags) { _, own in own }
  }

  /// What a resource says about app and system.
  mutating func describe(_ resource: Attributes) {
    app = resource["uptake.app", "app.bundle.id", "app.id", "service.name"]
    // Another Uptake sends its events on, of several apps maybe.
    isAppCertain = resource["uptake.app"] != nil
    channel = resource["ota.channel", "uptake.channel", "app.channel"]
    appVersion = resource["service.version", "app.version"]
    platform = resource["os.name"].map { $0.lowercased() }
    osVersion = resource["os.version"]
    sdkVersion = resource["uptake.sdk.version", "expo.sdk.version"]
    (deviceModel, region, tags) = (resource.deviceModel, resource.country, resource.tags)
  }
}
