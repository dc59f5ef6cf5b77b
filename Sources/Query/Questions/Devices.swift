public import Lifecycle
public import Store

/// The single devices that stand at a stage of a release for long, by their hashes.
public struct Devices: Encodable, Sendable {
  /// Where a device stands with a release: the stage it got furthest to, or what went wrong after that. The raw values are
  /// the words of `--at`.
  public enum Stand: String, CaseIterable, Encodable, Sendable {
    case available, downloadStarted, downloadCompleted, verified, ready, applied, confirmed
    case failed, rolledBack, crashed
  }
  public struct Device: Encodable, Sendable {
    /// The keyed hash, in hexadecimal digits; the id itself is stored nowhere.
    public var device: String
    /// Since when it stands there.
    public var since: Timestamp
    public var secondsSince: Int64
    @Nullable public var lastContact: Timestamp?
    @Nullable public var platform: String?
    @Nullable public var appVersion: String?
    public var channel: String
    /// The command that prints what it went through.
    public var trail: String
  }

  public var release: String
  public var at: Stand
  /// All of them, on this page or not.
  public var devices: Int
  /// Those that stand there for longest first.
  public var list: [Device]
  /// What `--after` takes to show those behind; null where this is the end.
  @Nullable public var next: String?
}

extension Devices: AskedOfRelease {
  public struct Options: QuestionOptions {
    public var at = Stand.ready
    /// A device that came there more recently is not listed.
    public var older = Milliseconds.hours(24)
    /// A device that was not heard of within so long is not listed; nil: all are.
    public var seen: Milliseconds?
    public var limit = 100
    public var after: DevicePosition?
    public init() {}
  }

  public struct Question: ReleaseAsking {
    public static let name = "devices"
    private let stands: StandCounting

    public init(_ vocabulary: Vocabulary, _ chosen: ReleaseScope, _ options: Options = Options()) {
      stands = StandCounting(vocabulary, chosen, options)
    }

    public var scope: any Scope { stands.journeys.chosen.selection }
    public var counts: Counts { Counts(stands) }

    public func findings(_ ledger: Ledger) -> Findings<Devices> {
      let (counted, options) = (ledger[stands], stands.options)
      let shown = counted.list.prefix(options.limit)
      let row = Devices(
        release: stands.journeys.chosen.target.label.rawValue, at: options.at, devices: counted.devices,
        list: shown.map(stands.row), next: counted.list.count > options.limit ? shown.last?.position.text : nil)
      return Findings(
        rows: [row], warnings: [], dataThrough: counted.newest.at, end: stands.journeys.end,
        echo: [
          "at": .text(options.at.rawValue), "olderSeconds": .integer(options.older.rawValue / 1000),
          "seenSeconds": options.seen.map { .integer($0.rawValue / 1000) } ?? .none,
          "limit": .integer(Int64(options.limit)), "after": options.after.map { .text($0.text) } ?? .none,
        ])
    }
  }
}

/// A place in the list: since when, then by hash. Later events may add devices before it, and change nothing behind it.
///
/// The channel is named: numbers are given by whatever holds the events, and a page of a file may be followed by one of a warehouse.
public struct DevicePosition: Comparable, Sendable {
  var since: Int64
  var device: UInt64
  var channel: String

  public static func < (left: Self, right: Self) -> Bool {
    (left.since, left.device, left.channel) < (right.since, right.device, right.channel)
  }
}

extension DevicePosition {
  /// `1741392000000-00f3…-production`: opaque, and printed to be given back.
  public var text: String { "\(since)-\(hexadecimal(device))-\(channel)" }

  /// nil where it is none.
  public init?(_ text: String) {
    let parts = text.split(separator: "-", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let since = Int64(parts[0]), let device = UInt64(parts[1], radix: 16), parts[1].count == 16,
      !parts[2].isEmpty
    else { return nil }
    self.init(since: since, device: device, channel: String(parts[2]))
  }
}
