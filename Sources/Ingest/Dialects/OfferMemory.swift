public import Lifecycle
public import Store

/// What update servers offered each device last, what it has under way, what waits on it for the next start, or what it installed
/// last, for clients that do not name it, or name it as what runs.
///
/// Kept as `RememberedWords` are, so that a restart changes nothing of what counts. Nothing of it expires: what waits, and what was
/// installed last, stays true for weeks. What was offered or is under way is over within minutes, and is replaced by what the device
/// downloads next or ended by its own report; one whose report got lost is told from one that still downloads by no age.
public struct OfferMemory: Sendable {
  private let releases: RememberedWords

  /// - Parameter limit: devices of all apps, shared as in `DeviceMemory`: on half of a large fleet an update may wait.
  public init(_ registry: Registry, limit: Int = 2_000_000) throws(StoreError) {
    releases = try RememberedWords(registry, .releases, limit: limit)
  }

  /// A name that no event may have is not remembered, however long it is. It may be two, as `NamedReleases` notes them.
  ///
  /// - Parameter release: nil where there is none any more.
  public func remember(_ release: String?, of device: DeviceHash, app: String) {
    let isLong = (release?.utf8.count ?? 0) > 2 * Field.release.limit + 1
    releases.remember(isLong ? nil : release, of: device, app: app)
  }

  public func release(offeredTo device: DeviceHash, app: String) -> String? { releases.word(of: device, app: app) }

  /// Of a device that is forgotten, before its rows are. Answers whether there was something.
  @discardableResult
  public func forget(_ device: DeviceHash, app: String) -> Bool { releases.forget(device, app: app) }

  /// Writes what is new. Where that fails it stays for the next time.
  public func save() throws(StoreError) { try releases.save() }
}
