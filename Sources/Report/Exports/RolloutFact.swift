public import Lifecycle
public import Query

/// Something that happened to a release on a channel, or that was found in a fleet, as others are told of it.
///
/// It is whole in itself: it is kept until it was sent, and a repeat hours later says the same, under the same id.
public struct RolloutFact: Codable, Equatable, Sendable {
  public enum Kind: String, Codable, CaseIterable, Sendable {
    case published, step, halted, milestone, failuresRising, verdict, superseded
    /// Of the diagnosis: something that holds updates up was found, became worse or better, or is gone.
    case finding
    /// A reading of the figures, at a fixed interval.
    case figures

    /// Everything that happens; a reading of the figures is nothing that happened.
    public static let news = Set(allCases).subtracting([.figures])
  }
  public enum Level: String, Codable, Sendable { case info, warning, error }
  /// A line of the rollout's story.
  public struct Chapter: Codable, Equatable, Sendable {
    public var kind: Kind
    public var level: Level
    public var at: Timestamp
    public var text: String
  }

  /// 32 hexadecimal digits in the form of a UUID, the same for the same fact wherever it is noticed again.
  public var id: String
  public var kind: Kind
  public var level: Level
  public var app: String
  /// Empty where a finding is about none, or about all channels.
  public var release: String
  public var channel: String
  public var at: Timestamp
  /// A line: what it is about.
  public var title: String
  /// A sentence or two, with figures.
  public var text: String
  /// Of the rollout, when the fact was noticed; nil in a finding, as its figures are.
  public var stage: Releases.State?
  /// nil, too, where platforms differ.
  public var percent: Double?
  /// `ios 100%, android 20%`; nil where platforms do not differ.
  public var rolloutByPlatform: String?
  /// The verdict's word, such as `Failing`; only in a verdict.
  public var verdict: String?
  public var publishedAt: Timestamp?
  public var figures: RolloutFigures?
  /// What happened until then, oldest first.
  public var story: [Chapter]
  /// Only in a finding.
  public var finding: Finding?
}

extension RolloutFact {
  /// What tells this fact from every other.
  static func id(_ app: String, _ release: String, _ channel: String, _ kind: Kind, _ detail: String) -> String {
    let parts = [app, release, channel, kind.rawValue, detail]
    var digits = Array(Digest(parts.joined(separator: "\u{0}")).hex.prefix(32))
    // Version 8, the variant of RFC 9562: some receivers look.
    digits[12] = "8"
    digits[16] = ["8", "9", "a", "b"][(digits[16].hexDigitValue ?? 0) & 3]
    return String(digits)
  }
}

extension RolloutFact {
  /// The title in a line. Of a long one the release's name is cut, and not the verdict behind it.
  func title(atMost limit: Int) -> String {
    let rest = title.hasPrefix(release) ? title.dropFirst(release.count) : title[...]
    let room = limit - rest.count
    guard title.count > limit, room > 10, rest.count < title.count else { return line(title, atMost: limit) }
    return line("\(release.prefix(room - 1))…\(rest)", atMost: limit)
  }
}
