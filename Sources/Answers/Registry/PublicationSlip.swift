internal import Console
public import Lifecycle
public import Store

/// What looks like a slip of the pen in a publication that is registered: a newer release ends the turn of the one that was meant.
public struct PublicationSlip: Sendable {
  public enum Code: String, CaseIterable, Sendable {
    case unknownApp = "unknown_app"
    case nearTwin = "near_twin"
    case severalChannels = "several_channels"
    case unknownChannel = "unknown_channel"
    case unknownPlatform = "unknown_platform"
    case platformTwin = "platform_twin"
    case moved
    case future
    case devicesBefore = "devices_before"
    case countsAsOlder = "counts_as_older"
    case stepsDropped = "steps_dropped"
    case haltKept = "halt_kept"
    case opensAgain = "opens_again"
    case haltAhead = "halt_ahead"
    case haltNotInForce = "halt_not_in_force"
    case haltEnds = "halt_ends"
    case firstStepLate = "first_step_late"
    case percentBelowOne = "percent_below_one"
    case sharesFall = "shares_fall"
  }
  public var code: Code
  public var words: SlipWords

  init(_ code: Code, _ words: SlipWords) { (self.code, self.words) = (code, words) }
}

/// Words with what to do among them, which command line and HTTP each say as their readers can do it. Long ones have several lines.
public struct SlipWords: ExpressibleByStringInterpolation, Sendable {
  public enum Deed: Sendable {
    /// Registers it with the time that it had.
    case keepTime(Timestamp)
    case withdraw(Publication)
    case halt(Publication)
    /// In the place of what is registered: the steps that it took, and a halt.
    case haltNow(Publication)
    /// Puts a publication in the place of the one that is registered.
    case register(Publication)
    /// One more step, from the time on at which that is done.
    case widen(Publication)
  }
  fileprivate enum Part {
    case text(String)
    case deed(Deed)
  }
  private var parts: [Part]

  public func text(_ say: (Deed) -> String) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .deed(let deed): say(deed)
      }
    }.joined()
  }

  public init(stringLiteral text: String) { parts = [.text(text)] }
  public init(stringInterpolation interpolation: StringInterpolation) { parts = interpolation.parts }

  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []
    public init(literalCapacity: Int, interpolationCount: Int) {}
    public mutating func appendLiteral(_ text: String) { parts.append(.text(text)) }
    public mutating func appendInterpolation(_ text: String) { parts.append(.text(text)) }
    public mutating func appendInterpolation(_ deed: Deed) { parts.append(.deed(deed)) }
  }
}

extension Snapshot {
  /// Held against what is registered and what devices said before; before anything was heard of only what is odd by itself.
  ///
  /// - Parameter namesApps: whoever has a key of one app is not told which others there are.
  public borrowing func slips(
    in publication: Publication, now: Timestamp, namesApps: Bool = true
  ) throws -> [PublicationSlip] {
    let draft = PublicationDraft(publication, vocabulary, now)
    let slips = [
      namesApps ? draft.app : nil, draft.label, draft.channel, draft.platform, draft.move, draft.future,
      try sightings(of: draft), try order(of: draft), draft.restart, draft.steps, draft.reopening,
      draft.halting, draft.lateStep, draft.fraction, draft.fall,
    ]
    return slips.compactMap(\.self)
  }
}

/// A publication that is not registered yet, beside what is known.
struct PublicationDraft {
  let publication: Publication
  let vocabulary: Vocabulary
  let now: Timestamp
  /// The one that it takes the place of.
  let before: Publication?

  init(_ publication: Publication, _ vocabulary: Vocabulary, _ now: Timestamp) {
    (self.publication, self.vocabulary, self.now) = (publication, vocabulary, now)
    before = vocabulary.record(of: publication)?.publications.first { $0.isSamePlace(as: publication) }
  }
}

extension Vocabulary {
  public func record(of publication: Publication) -> ReleaseRecord? {
    releases.first { $0.app == publication.app && $0.label == publication.release }
  }
}

extension Publication {
  /// Of one release: on the same channel, for the same platform.
  public func isSamePlace(as other: Publication) -> Bool { channel == other.channel && platform == other.platform }
}

/// `10% at 2025-03-01 08:00 UTC, 50% at …`.
public func stepWords(_ steps: [RolloutStep]) -> String {
  steps.map { "\(percentWords($0.percent))% at \($0.at.words)" }.joined(separator: ", ")
}

public func percentWords(_ percent: Double) -> String { decimal(percent, percent == percent.rounded() ? 0 : 1) }
