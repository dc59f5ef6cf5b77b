import Lifecycle
public import Statistics
public import Store

/// How many devices changed their channel while they ran a release: a channel that people leave has a reason.
public struct Channels: Encodable, Sendable {
  /// From one channel to another.
  public struct Move: Encodable, Sendable {
    public var from: String
    public var to: String
    public var devices: Int
  }
  public var group: Labels
  public var release: String
  /// Devices that said they run the release, on a channel and in a time that were looked at.
  public var devices: Int
  /// Of these, devices that left that channel while they ran it.
  public var changed: Int
  public var share: Estimate
  /// Most devices first.
  public var moves: [Move]
  /// Moves that too few devices made to be shown.
  public var movesWithheld: Int
}

extension Channels: AskedOfPeriod {
  /// What answers can be split by, beside the release.
  public enum Grouping: Hashable, Sendable {
    case platform
    /// Something that devices say of themselves, as they said it last.
    case slice(ProfileField)
  }

  public struct Options: QuestionOptions {
    public var by: [Grouping] = []
    public init() {}
  }

  public struct Question: PeriodAsking {
    public static let name = "channels"
    private let moves: ChannelCounting

    public init(_ vocabulary: Vocabulary, _ extent: FleetScope, _ options: Options = Options()) throws {
      try extent.check(vocabulary)
      moves = ChannelCounting(vocabulary, extent, options)
    }

    public var scope: any Scope { moves.extent }
    public var counts: Counts { Counts(moves) }
    public func findings(_ ledger: Ledger) -> Findings<Channels> { moves.findings(ledger[moves]) }
  }
}

extension Channels.Grouping: RawRepresentable, CaseIterable {
  public static let allCases = [platform] + ProfileField.named.map(slice)

  public init?(rawValue: String) {
    if rawValue == Self.platform.rawValue {
      self = .platform
    } else {
      guard let field = ProfileField(rawValue: rawValue) else { return nil }
      self = .slice(field)
    }
  }

  public var rawValue: String {
    switch self {
    case .platform: "platform"
    case .slice(let field): field.rawValue
    }
  }
}
