public import Lifecycle
import Locks

/// What update servers offered each device last, or what it has under way, for clients that do not name it.
///
/// In memory only: an update takes minutes, and what a restart forgets is counted as dropped.
public final class OfferMemory: Sendable {
  private let offers = Lock<[DeviceHash: String]>([:])

  /// Where there are more all are forgotten: those under way will be offered theirs again.
  private static let limit = 200_000

  public init() {}

  public func remember(_ release: String, of device: DeviceHash) {
    offers.withLock { offers in
      if offers.count >= Self.limit { offers.removeAll() }
      offers[device] = release
    }
  }

  public func release(offeredTo device: DeviceHash) -> String? { offers.withLock { $0[device] } }

  /// Answers whether there was something.
  @discardableResult
  public func forget(_ device: DeviceHash) -> Bool { offers.withLock { $0.removeValue(forKey: device) != nil } }
}
