internal import Console
public import Lifecycle
public import Query

/// What holds updates up in an app, as others are told of it: what changed since they were told last.
public struct FleetFindings: Sendable {
  public let app: String
  public let now: Timestamp
  private let found: [RolloutFact.Finding]
  private let channels: [String]
  /// Whether there were devices enough to say that something is found no more.
  private let isSure: Bool

  /// A change back is told so long after the change at the earliest: what lies at its limit would come and go with each look.
  public static let rest = Milliseconds.hours(1)

  /// - Parameter channels: findings about others are not told; empty for all.
  public init(_ answer: Answer<Diagnosis>, app: String, now: Timestamp, channels: [String]) {
    (self.app, self.now, self.channels) = (app, now, channels)
    // A release that harms has its verdict, which is told.
    found = answer.data.filter { $0.finding != .releaseHarms }.compactMap(RolloutFact.Finding.init)
    isSure = answer.dataThrough != nil && !answer.warnings.contains { $0.code == Diagnosis.fewDevices }
  }

  /// - Parameter told: all that a receiver was told of this app, in order of time.
  public func facts(told: [(finding: RolloutFact.Finding, at: Timestamp)]) -> [RolloutFact] {
    let told = Dictionary(grouping: told) { $0.finding.key }
    let changed = found.filter { finding in
      told[finding.key]?.last.map { $0.finding.state != finding.state } ?? true
    }
    let keys = Set(found.map(\.key))
    let gone = told.sorted { $0.key < $1.key }.compactMap { key, all -> RolloutFact.Finding? in
      guard isSure, !keys.contains(key), let last = all.last, last.finding.state != .gone, now - last.at >= Self.rest
      else {
        return nil
      }
      return last.finding.gone(toldAt: last.at)
    }
    return (changed + gone).filter(isChosen).map { fact($0, times: told[$0.key]?.count ?? 0) }
  }

  private func isChosen(_ finding: RolloutFact.Finding) -> Bool {
    channels.isEmpty || finding.group["channel"].map(channels.contains) ?? true
  }

  private func fact(_ finding: RolloutFact.Finding, times: Int) -> RolloutFact {
    let (release, channel) = (finding.group["release"] ?? "", finding.group["channel"] ?? "")
    return RolloutFact(
      id: RolloutFact.id(app, release, channel, .finding, "\(finding.key) \(times)"), kind: .finding,
      level: finding.state.level, app: app, release: release, channel: channel, at: now, title: finding.title,
      text: finding.text, stage: nil, percent: nil, verdict: nil, publishedAt: nil, figures: nil, story: [],
      finding: finding)
  }
}

extension RolloutFact {
  /// What changed, in a few words; nil in a fact that does not change.
  public var word: String? { verdict ?? finding.map { "\($0.state.rawValue) \($0.key)" } }

  /// A finding of the diagnosis, or its end.
  public struct Finding: Codable, Equatable, Sendable {
    public enum State: String, Codable, Sendable {
      case warning, problem, gone

      var level: Level {
        switch self {
        case .problem: .error
        case .warning: .warning
        case .gone: .info
        }
      }
    }
    /// Such as `pushNeverWakes`.
    public var name: String
    /// The part of the fleet that it is about.
    public var group: [String: String]
    public var state: State
    public var devices: Int
    public var title: String
    public var text: String

    /// nil where it is only a note.
    init?(_ finding: Diagnosis) {
      switch finding.level {
      case .note: return nil
      case .warning: state = .warning
      case .problem: state = .problem
      }
      (name, group, devices) = (finding.finding.rawValue, finding.group.parts, finding.devices)
      let sentence = finding.sentence.capitalizedFirst(butFor: group.values)
      let end = [": ", "; "].compactMap { sentence.firstRange(of: $0)?.lowerBound }.min()
      title = String(sentence[..<(end ?? sentence.endIndex)])
      let causes = finding.causes.map { "Perhaps: \($0)." }
      text = (["\(sentence)."] + causes + ["Check: \(finding.check)."]).joined(separator: "\n")
    }

    /// What tells it from others of the app.
    var key: String {
      ([name] + group.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }).joined(separator: " ")
    }

    func gone(toldAt at: Timestamp) -> Finding {
      var ended = self
      (ended.state, ended.title) = (.gone, "No longer found: \(title)")
      ended.text = """
        What was told on \(at.rfc3339) is found no more: \(title).
        Of releases only the newest of each channel are looked at; uptake diagnose says what is found now.
        """
      return ended
    }
  }
}
