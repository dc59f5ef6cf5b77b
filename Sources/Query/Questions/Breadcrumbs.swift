public import Lifecycle
public import Store

/// What one device went through, newest last, and in a sentence where it stands.
public struct Breadcrumbs: Encodable, Sendable {
  public struct Crumb: Encodable, Sendable {
    public var at: Timestamp
    public var stage: String
    public var trigger: String
    @Nullable public var release: String?
    @Nullable public var outcome: String?
    @Nullable public var reason: String?
    @Nullable public var channel: String?
    @Nullable public var network: String?
    @Nullable public var seconds: Double?
    /// The single event was removed; this is what journeys and wake-ups still tell.
    public var isCondensed: Bool
    public var text: String
  }
  public struct Failure: Encodable, Sendable {
    public var release: String
    public var at: Timestamp
    public var stage: FailedStage
    /// As the client says; of rollbacks and crashes while their events are kept.
    @Nullable public var reason: String?
  }
  public struct Update: Encodable, Sendable {
    public var release: String
    public var at: Timestamp
    public var secondsAgo: Int64
    public var mechanism: String
    /// From the first offer, or sign of the release, to applying it.
    @Nullable public var secondsFromOffer: Int64?
  }
  /// What it runs, and how that came.
  public struct Running: Encodable, Sendable {
    public var release: String
    /// When it was applied; nil where no update brought it, as of what came with the store's build.
    @Nullable public var at: Timestamp?
    @Nullable public var secondsAgo: Int64?
    @Nullable public var mechanism: String?
    @Nullable public var secondsFromOffer: Int64?
  }

  /// The keyed hash, in hexadecimal digits; the id itself is stored nowhere.
  public var device: String
  @Nullable public var platform: String?
  @Nullable public var appVersion: String?
  @Nullable public var channel: String?
  @Nullable public var firstContact: Timestamp?
  @Nullable public var lastContact: Timestamp?
  @Nullable public var update: Update?
  /// Another release than `update` names where that one was rolled back, or the device went back to an older one.
  @Nullable public var running: Running?
  /// The newest of all first failures, rollbacks and crashes.
  @Nullable public var failure: Failure?
  public var summary: String
  public var crumbs: [Crumb]
}

extension Breadcrumbs {
  public struct Options: Sendable {
    /// Only the newest so many.
    public var limit = 200
    public init() {}
  }

  /// - Parameter device: the hash of the id that the client knows. A device that nobody heard of gives no row.
  public static func answer(
    _ snapshot: borrowing Snapshot, _ extent: FleetScope, device: DeviceHash, _ options: Options = Options()
  ) throws -> Answer<Breadcrumbs> {
    try extent.check(snapshot.vocabulary)
    let view = try snapshot.view(of: device, app: extent.app, until: extent.now)
    let rows = try view.map { view in
      let stored = try snapshot.trail(of: device, app: extent.app, limit: options.limit).filter { $0.at <= extent.now }
      return [Breadcrumbs(view, stored, snapshot.vocabulary, extent, options)]
    }
    return Answer(
      "breadcrumbs", generatedAt: extent.now, dataThrough: view?.history.lastContact,
      query: QueryEcho([
        "app": .text(extent.app), "device": .text(hexadecimal(device.rawValue)), "now": .text(extent.now.rfc3339),
        "limit": .integer(Int64(options.limit)),
      ]),
      warnings: warnings(view), data: rows ?? [])
  }

  private static func warnings(_ view: DeviceTrail?) -> [Warning] {
    guard let view else {
      return [
        Warning(
          "unknown_device",
          "no event of this device is stored; is the id, and the app, the one that its client sends?")
      ]
    }
    return ahead(view) + emulator(view)
  }

  private static func ahead(_ view: DeviceTrail) -> [Warning] {
    view.history.ahead.map {
      [
        Warning(
          "events_ahead",
          "events of this device lie ahead of now, the newest at \($0.rfc3339), and are left out: its clock is fast, or now was"
            + " set to the past")
      ]
    } ?? []
  }

  private static func emulator(_ view: DeviceTrail) -> [Warning] {
    view.history.isEmulator
      ? [
        Warning(
          "emulator",
          "this device says that it is an emulator, or that its build is not for users: answers about releases leave it out, and"
            + " --emulators counts it")
      ] : []
  }
}
