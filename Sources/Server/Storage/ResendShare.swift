internal import Locks
internal import Store

/// How many of the events that came lately were known already: where most are, devices may share ids, and all but one device's events
/// are lost without a sign.
final class ResendShare: Sendable {
  struct Sums: Equatable, Sendable {
    var known = 0
    var of = 0
  }

  private static let enough = 200
  private let sums = Lock(Sums())

  /// The sums of the last events where most of them were known; nil until there are enough, or where most were new.
  func note(_ admitted: Admitted) -> Sums? {
    sums.withLock { sums in
      sums.known += admitted.duplicate
      sums.of += admitted.duplicate + admitted.accepted
      guard sums.of >= Self.enough else { return nil }
      defer { sums = Sums() }
      return sums.known * 2 > sums.of ? sums : nil
    }
  }
}
