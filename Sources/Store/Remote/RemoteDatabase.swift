import Locks
public import Lifecycle
import Synchronization

/// Devices that lie in another engine and not in a file: what a snapshot asks of it.
///
/// Every list may say a thing more than once: only minimums, maximums and sets are made of them. Releases, channels and
/// profiles are numbers of the vocabulary.
public protocol RemoteDatabase: Sendable {
  /// Where it is, for messages.
  var address: String { get }
  var vocabulary: Vocabulary { get }
  /// Releases and channels of an app on which there are journeys.
  func journeyPlaces(_ app: Int64) throws(StoreError) -> [RemoteJourneys.Place]
  /// Profiles that devices of an app have said.
  func profiles(_ app: Int64) throws(StoreError) -> Set<Int64>
  /// Weeks of an app with pushes or wake-ups.
  func weeks(_ app: Int64) throws(StoreError) -> [Int64]
  func devices(_ range: DeviceRange) throws(StoreError) -> RemoteDevices
  func journeys(_ range: DeviceRange, on releases: [Int64]) throws(StoreError) -> RemoteJourneys
  func wakes(_ range: DeviceRange, in weeks: [Int64]) throws(StoreError) -> [RemoteWake]
  /// Another number whenever anything that was counted may count otherwise; nil while something is on its way, or may be.
  func settledState() throws(StoreError) -> Int64?
  /// What tallies that are kept there hold for; nil where there are none of all that is there now.
  func summaryState(_ app: Int64) throws(StoreError) -> SummaryState?
  /// Their columns about some releases; nil where others took their place meanwhile.
  func summary(_ app: Int64, on releases: [Int64], _ numbers: Range<Int64>) throws(StoreError) -> [SummaryPart]?
  /// Keeps tallies in place of those before, unless something has changed since the state that they hold for.
  func keep(_ state: SummaryState, _ parts: [SummaryPart], _ app: Int64) throws(StoreError)
  /// The newest events of a device, newest first.
  func trail(of device: DeviceHash, app: String, limit: Int) throws(StoreError) -> [TrailEvent]
  /// Nodes that shipped nothing since an instant.
  func nodes(quietSince instant: Timestamp) throws(StoreError) -> QuietNodes
  /// How many devices there are, or a few more.
  func deviceCount() throws(StoreError) -> Int
}

/// Some devices of an app: a shard, several, or a single device.
public struct DeviceRange: Sendable {
  /// A number of `name`.
  public var app: Int64
  public var hashes: ClosedRange<UInt64>

  init(app: Int64, hashes: ClosedRange<UInt64>) { (self.app, self.hashes) = (app, hashes) }

  init(app: Int64, shard: Int) { self.init(app: app, shards: shard..<shard + 1) }

  init(app: Int64, shards: Range<Int>) {
    let width = 64 - Shards.bits
    self.init(
      app: app,
      hashes: UInt64(shards.lowerBound) << width...(UInt64(shards.upperBound - 1) << width | (1 << width - 1)))
  }

  /// nil where it is not just one.
  var shard: Int? {
    let first = Shards.shard(hashes.lowerBound)
    return hashes == DeviceRange(app: app, shard: first).hashes ? first : nil
  }
}

/// What went wrong with another engine, in the words of whoever speaks with it.
public struct RemoteProblem: Hashable, Sendable {
  public enum Kind: Hashable, Sendable { case unreachable, refused, unusable, unsupported, failed }
  public var kind: Kind
  /// For programs.
  public var code: String
  /// One sentence with what, where and why.
  public var words: String
  public var remedy: Remedy

  public init(_ kind: Kind, _ code: String, _ words: String, _ remedy: Remedy) {
    (self.kind, self.code, self.words, self.remedy) = (kind, code, words, remedy)
  }
}

/// How another engine is read, by whoever opens it.
public struct RemoteReading: Sendable {
  /// What the engine may read for one statement.
  public struct Limit: Hashable, Sendable {
    /// nil for as much as there is.
    public var bytes, rows: Int?

    public init(bytes: Int? = nil, rows: Int? = nil) { (self.bytes, self.rows) = (bytes, rows) }
  }
  /// nil for what the process was told.
  public var limit: Limit?
  /// Whether the process does nothing else: Ctrl-C then ends what the engine does for it.
  public var isAlone = false

  public init(limit: Limit?, isAlone: Bool) { (self.limit, self.isAlone) = (limit, isAlone) }

  /// Set around the opening of a snapshot.
  @TaskLocal public static var current = RemoteReading(limit: nil, isAlone: false)

  /// How many shards of devices were fetched since the start of the process.
  public static var fetchedShards: Int { fetched.load(ordering: .relaxed) }
  static let fetched = Atomic(0)
}

/// Which engines there are beside files; named once, where the program is put together.
public enum RemoteDatabases {
  public typealias Open = @Sendable (_ address: String) throws(StoreError) -> any RemoteDatabase
  private static let known = Lock<[String: Open]>([:])

  public static func add(_ scheme: String, _ open: @escaping Open) { known.withLock { $0[scheme] = open } }

  /// nil for what is the path of a file.
  static func open(_ address: String) throws(StoreError) -> (any RemoteDatabase)? {
    guard let scheme = scheme(address) else { return nil }
    guard let open = known.withLock({ $0[scheme] }) else { return nil }
    return try open(address)
  }

  /// A path as it is; an address without its password, for whoever may see messages and pages.
  public static func shown(_ place: String) -> String {
    guard let scheme = place.firstRange(of: "://"), let at = place.lastIndex(of: "@"),
      let colon = place[scheme.upperBound...].firstIndex(of: ":"), colon < at
    else { return place }
    return String(place[..<colon] + place[at...])
  }

  public static func isAddress(_ path: String) -> Bool { scheme(path) != nil }

  private static func scheme(_ address: String) -> String? {
    guard let end = address.firstRange(of: "://") else { return nil }
    return String(address[..<end.lowerBound])
  }
}

extension StoreError {
  public init(_ problem: RemoteProblem, at address: String) { self.init(.remote(problem), path: address) }

  /// For what only files hold.
  static func onlyInFiles(_ what: String, _ address: String) -> StoreError {
    StoreError(
      RemoteProblem(
        .unsupported, "only_in_files", "\(what) cannot be had from \(address): a warehouse does not hold that",
        "ask a node for it: name its file with --db"), at: address)
  }
}
