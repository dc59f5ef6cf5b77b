internal import Console
public import Lifecycle

/// A publication as JSON: the body of `PUT /v1/releases/{release}`, and a line of a file to register.
public struct PublicationForm: Decodable {
  struct Step: Decodable {
    var at: Moment
    var percent: Double

    enum CodingKeys: String, CodingKey, CaseIterable { case at, percent }

    init(from decoder: any Decoder) throws {
      try decoder.refuseUnknown(among: CodingKeys.self)
      let fields = try decoder.container(keyedBy: CodingKeys.self)
      at = try fields.decode(Moment.self, forKey: .at)
      percent = try fields.decode(Double.self, forKey: .percent)
    }
  }
  public var release: String?
  var app: String?
  var channel: String?
  var platform: String?
  var publishedAt: Moment?
  var rollout: [Step]?
  var mandatory: Bool?

  enum CodingKeys: String, CodingKey, CaseIterable {
    case release, app, channel, platform, publishedAt, rollout, mandatory
  }

  /// Every question about a release goes through them.
  static let mostSteps = 1000

  /// What an answer says beside a publication: it may be sent again as it is.
  static let notes = "notes"

  /// Whether it says when: else a publication that is registered already keeps its time.
  public var namesTime: Bool { publishedAt != nil }
  /// Whether it says to whom: else one that is halted stays so. A deployment that runs again must not start it again.
  public var namesRollout: Bool { rollout != nil }

  /// A field that nobody knows is a slip: left out, the release would go to another channel, or to everybody at once.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseUnknown(among: CodingKeys.self, beside: Self.notes)
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    release = try fields.decodeIfPresent(String.self, forKey: .release)
    app = try fields.decodeIfPresent(String.self, forKey: .app)
    channel = try fields.decodeIfPresent(String.self, forKey: .channel)
    platform = try fields.decodeIfPresent(String.self, forKey: .platform)
    publishedAt = try fields.decodeIfPresent(Moment.self, forKey: .publishedAt)
    rollout = try fields.decodeIfPresent([Step].self, forKey: .rollout)
    mandatory = try fields.decodeIfPresent(Bool.self, forKey: .mandatory)
  }

  init(_ body: [UInt8]) throws {
    do { self = try JSON.decode(Self.self, from: body) } catch let error as DecodingError {
      throw BadForm(error)
    }
  }

  public func publication(_ label: String, app keyApp: String?, now: Timestamp, longest: Int = 128) throws
    -> Publication
  {
    guard let app = app ?? keyApp else { throw BadForm("app", "app is missing, and no key names one") }
    if let keyApp, keyApp != app { throw BadForm("app", "the key is for another app", status: 403) }
    guard (rollout ?? []).count <= Self.mostSteps else {
      throw BadForm("rollout", "a rollout has at most \(Self.mostSteps) steps, and this one \((rollout ?? []).count)")
    }
    let steps = (rollout ?? []).map { RolloutStep(at: $0.at.timestamp, percent: $0.percent) }
    for step in steps where !(0...100).contains(step.percent) {
      throw BadForm("rollout", "percent \(step.percent) is not between 0 and 100")
    }
    let publication = Publication(
      app: app, release: ReleaseLabel(rawValue: label), channel: channel ?? "production", platform: platform,
      publishedAt: publishedAt?.timestamp ?? begin(of: steps, now), rollout: steps.sorted { $0.at < $1.at },
      mandatory: mandatory ?? false)
    try publication.check(longest: longest)
    return publication
  }

  /// The present, but for a first step of just now: its sender's clock tells whole seconds, or the request took a while, and no
  /// device had the release before its publication.
  private func begin(of steps: [RolloutStep], _ now: Timestamp) -> Timestamp {
    guard let first = steps.map(\.at).min(), first <= now, now - first <= .minutes(1) else { return now }
    return first
  }
}

extension Publication {
  /// Holds what it names to what events may name, and its steps to one share at a time.
  ///
  /// - Parameter longest: of a release's name. The command line always took longer ones than events may have.
  public func check(longest: Int = 128) throws(BadForm) {
    guard !release.rawValue.hasPrefix(ReleaseLabel.storePrefix) else {
      throw BadForm(
        "release",
        "\(quoted(release.rawValue)) is what a store shipped: nobody gets it over the air, so it has no publication")
    }
    for (step, next) in zip(rollout, rollout.dropFirst()) where step.at == next.at && step.percent != next.percent {
      throw BadForm("rollout", "two steps are at \(step.at.rfc3339), of \(step.percent) and of \(next.percent) percent")
    }
    try release.rawValue.checkLength(of: "release", longest)
    try app.checkLength(of: "app", 128)
    try channel.checkLength(of: "channel", 64)
    try platform?.checkLength(of: "platform", 64)
  }
}

extension String {
  fileprivate func checkLength(of field: String, _ limit: Int) throws(BadForm) {
    guard (1...limit).contains(utf8.count) else { throw BadForm(field, "\(field) has 1 to \(limit) bytes") }
    guard isStorable else { throw BadForm(field, "\(field) has the character U+0000, which no text may have") }
  }
}

/// RFC 3339, or milliseconds since 1970, in the years 2000 to 9999.
struct Moment: Decodable {
  var timestamp: Timestamp

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    func refusal(_ problem: String) -> DecodingError {
      DecodingError.dataCorruptedError(in: container, debugDescription: problem)
    }
    if let milliseconds = try? container.decode(Int64.self) {
      timestamp = Timestamp(rawValue: milliseconds)
    } else {
      let text = try container.decode(String.self)
      guard let instant = try? Timestamp(rfc3339: text) else {
        throw refusal("\"\(text)\" is not a time such as 2025-03-01T08:00:00Z")
      }
      timestamp = instant
    }
    guard timestamp.isPermitted else {
      throw refusal("\(timestamp.rawValue) ms since 1970 is not between the years 2000 and 9999")
    }
  }
}

/// Whatever a field is called.
private struct AnyName: CodingKey {
  var stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension Decoder {
  fileprivate func refuseUnknown<Key>(among keys: Key.Type, beside ignored: String? = nil) throws
  where Key: CodingKey & CaseIterable & RawRepresentable, Key.RawValue == String {
    let known = Key.allCases.map(\.rawValue).sorted()
    for name in try container(keyedBy: AnyName.self).allKeys.map(\.stringValue).sorted()
    where !known.contains(name) && name != ignored {
      throw BadForm(unknownField: name, at: codingPath, known: known)
    }
  }
}

/// A body that is not what the route takes.
public struct BadForm: Error {
  var field: String?
  public var message: String
  var status: Int

  public init(_ field: String?, _ message: String, status: Int = 400) {
    (self.field, self.message, self.status) = (field, message, status)
  }

  /// A parameter without its value.
  init(empty name: String) { self.init(name, "the parameter \(name) is empty") }

  fileprivate init(unknownField name: String, at path: [any CodingKey], known: [String]) {
    let near = known.first { editDistance(Array($0.utf8), Array(name.utf8)) <= 2 }
    let hint = near.map { "did you mean \($0)?" } ?? "known: \(known.joined(separator: ", "))"
    let place = path.isEmpty ? name : "\(fieldPath(path)).\(name)"
    self.init(place, "there is no field \"\(place)\"; \(hint)")
  }

  fileprivate init(_ error: DecodingError) {
    switch error {
    case .dataCorrupted(let context) where context.codingPath.isEmpty:
      self.init(nil, "the body is not a JSON object that can be read: \(context.debugDescription)")
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      let path = fieldPath(context.codingPath)
      self.init(
        path.isEmpty ? nil : path,
        path.isEmpty ? "the body is not a JSON object" : "\(path): \(context.debugDescription)")
    case .keyNotFound(let key, let context):
      let path = fieldPath(context.codingPath + [key])
      self.init(path, "\(path) is missing")
    @unknown default: self.init(nil, "the body cannot be read")
    }
  }
}

/// As in `rollout[0].at`.
private func fieldPath(_ path: [any CodingKey]) -> String {
  path.reduce("") { before, key in
    if let index = key.intValue { return "\(before)[\(index)]" }
    return before.isEmpty ? key.stringValue : "\(before).\(key.stringValue)"
  }
}

extension PublicationForm {
  /// The publications of a file: a list, or the document that `uptake release list --format json` prints.
  public static func list(_ bytes: [UInt8]) throws -> [PublicationForm] {
    struct Document: Decodable { var data: [PublicationForm] }
    do {
      let isList = bytes.first { !" \t\n\r".utf8.contains($0) } == UInt8(ascii: "[")
      return try isList
        ? JSON.decode([PublicationForm].self, from: bytes) : JSON.decode(Document.self, from: bytes).data
    } catch let error as DecodingError { throw BadForm(error) }
  }
}
