public import Lifecycle
public import Store

/// What a question that is not about one release looks at.
public struct FleetScope: Equatable, Sendable {
  public var app: String
  /// Of pushes: only those about this release.
  public var release: ReleaseLabel?
  /// Empty means all.
  public var channels: [String] = []
  public var platforms: [String] = []
  /// Each narrows what the others leave.
  public var only: [ProfileFilter] = []
  /// Nothing before it is counted.
  public var since: Timestamp?
  /// Nothing from it on is counted, though what came of the counted is looked at up to the cutoff.
  public var until: Timestamp?
  /// The instant of the analysis; nothing later is looked at.
  public var now: Timestamp
  public var level = 0.95
  /// Groups of fewer devices are withheld; 0 shows all.
  public var minCell = 0
  public var includesEmulators = false
  public var population = Population.everybody

  /// - Parameter app: may be left out where the database holds one.
  public init(_ vocabulary: Vocabulary, app: String?, release: ReleaseLabel? = nil, now: Timestamp)
    throws(QuestionError)
  {
    self.app = try vocabulary.chosenApp(app)
    self.release = release
    self.now = now
  }

  /// Refuses names that nobody ever mentioned.
  public func check(_ vocabulary: Vocabulary) throws(QuestionError) {
    let timeline = Timeline(vocabulary, app: app)
    if let release, timeline.record(release) == nil {
      throw .unknownRelease(release.rawValue, app: app, near: timeline.nearest(release))
    }
    let known = vocabulary.channels(of: app, and: timeline)
    for channel in channels where !known.contains(channel) { throw .unknownChannel(channel, known: known) }
    let platforms = vocabulary.platforms(of: app, and: timeline)
    for platform in self.platforms where !platforms.contains(platform) {
      throw .unknownPlatform(platform, known: platforms)
    }
  }

  /// What was said before it has no bearing on what is counted.
  var earliestFact: Timestamp { since.map { $0 - .days(7) } ?? Timestamp(rawValue: .min / 2) }

  /// Whether what is counted is the same; how it is shown may differ.
  func countsAlike(_ other: FleetScope) -> Bool {
    var alike = other
    (alike.level, alike.minCell) = (level, minCell)
    return self == alike
  }

  func includes(_ instant: Timestamp) -> Bool {
    (since.map { instant >= $0 } ?? true) && (until.map { instant < $0 } ?? true)
  }
  func includes(channel: String, platform: String?) -> Bool {
    (channels.isEmpty || channels.contains(channel)) && platforms.include(platform)
  }
}

extension FleetScope: Scope {
  public var chosenApp: String? { app }

  public func echo(_ end: CutOff) -> [String: QueryEcho.Value] {
    [
      "app": .text(app), "release": release.map { .text($0.rawValue) } ?? .none, "channel": .chosen(channels),
      "platform": .chosen(platforms), "where": .texts(only.map(\.text)),
      "since": since.map { .text($0.rfc3339) } ?? .none,
      "until": until.map { .text($0.rfc3339) } ?? .none, "cutOff": .text(end.at.rfc3339),
      "reportingLagSeconds": .integer(end.lag.rawValue / 1000), "level": .number(level), "now": .text(now.rfc3339),
    ]
  }
}

/// The names of a row's group, as far as the answer is split.
public struct Labels: Hashable, Sendable, Encodable, Comparable {
  public var parts: [String: String]
  public init(_ parts: [String: String] = [:]) { self.parts = parts }

  public func encode(to encoder: any Encoder) throws { try parts.encode(to: encoder) }

  public static func < (left: Labels, right: Labels) -> Bool {
    let names = left.parts.keys.sorted()
    func values(_ one: Labels) -> [String] { names.map { order(one.parts[$0] ?? "", in: $0) } }
    return values(left).lexicographicallyPrecedes(values(right))
  }

  /// What a name is sorted by: buckets are numbers, and nobody expects 10 before 2.
  static func order(_ name: String, in part: String) -> String {
    part == ProfileField.bucket.rawValue && name.count == 1 ? "0" + name : name
  }
}
