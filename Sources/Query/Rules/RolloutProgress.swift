internal import Console
public import Lifecycle

/// How far a rollout has come on each platform that got the release by a publication of its own.
public struct RolloutProgress: Equatable, Sendable {
  public struct Part: Encodable, Equatable, Sendable {
    /// Null for all that have none of their own.
    @Nullable public var platform: String?
    /// Null before the publication.
    @Nullable public var percent: Double?

    public init(platform: String?, percent: Double?) {
      (self.platform, self.percent) = (platform, percent)
    }
  }

  let parts: [Part]

  public init(_ starts: [Timeline.PlatformStart], at instant: Timestamp) {
    parts = starts.map { Part(platform: $0.platform, percent: $0.start.percent(at: instant)) }
  }

  /// nil before the publication, and where platforms differ: no number is true of all of them.
  public var percent: Double? { apart.isEmpty ? parts.first?.percent : nil }

  /// On the platform where it is furthest; nil before the publication.
  var furthest: Double? { parts.compactMap(\.percent).max() }

  /// The platforms where they differ; else none.
  public var apart: [Part] { Set(parts.map(\.percent)).count > 1 ? parts : [] }

  /// Whether no further step is to come anywhere.
  var isComplete: Bool { parts.allSatisfy { $0.percent.map { $0 >= 100 } ?? false } }
}

extension [RolloutProgress.Part] {
  /// `ios 100%, android 20%`; nil where platforms do not differ.
  public var words: String? {
    isEmpty ? nil : firstFew(map { "\($0.platform.map(named) ?? "others") \($0.share)" }, atMost: 5)
  }
}

extension RolloutProgress.Part {
  fileprivate var share: String {
    guard let percent else { return "not yet" }
    return percent == 0 ? "halted" : stepWords(percent)
  }
}

/// `50%`, `0.5%`: as steps are registered.
func stepWords(_ percent: Double) -> String {
  percent == percent.rounded() ? "\(Int(percent))%" : "\(percent)%"
}

extension Releases.State {
  public init(_ progress: RolloutProgress, isInferred: Bool, isSuperseded: Bool) {
    guard let furthest = progress.furthest else {
      self = .scheduled
      return
    }
    if isSuperseded {
      self = .superseded
    } else if isInferred {
      self = .inferred
    } else {
      self = progress.isComplete ? .complete : furthest > 0 ? .rollingOut : .paused
    }
  }
}
