internal import Console
public import Lifecycle
internal import Locks

/// When the certificate in force ends: clients refuse a service whose certificate is over.
public final class CertificateWatch: Sendable {
  private struct State {
    var expiry: Timestamp?
    var told: Timestamp?
  }
  private let state = Lock(State())
  /// From so long before the end on it is said.
  static let notice = Milliseconds.days(14)

  public var expiry: Timestamp? { state.withLock { $0.expiry } }

  /// - Parameter expiry: of the certificate that is in force from now on; nil where that cannot be told.
  public func take(_ expiry: Timestamp?) { state.withLock { $0 = State(expiry: expiry) } }

  /// Whether one that ends then may take the place of the one in force: an expired one not that of a valid one.
  public func admits(_ next: Timestamp?, at now: Timestamp) -> Bool {
    guard let next, next <= now, let expiry else { return true }
    return expiry <= now
  }

  /// The end, where it is to be told now: once a day.
  func news(at now: Timestamp) -> Timestamp? {
    state.withLock { state in
      guard let expiry = state.expiry, expiry - now <= Self.notice else { return nil }
      if let told = state.told, told <= now, now - told < .days(1) { return nil }
      state.told = now
      return expiry
    }
  }
}

extension Service {
  func watchCertificate() {
    guard let expiry = certificate.news(at: now) else { return }
    journal.write(
      expiry <= now ? .error : .warning, "certificate_expires",
      [
        "expires": .string(expiry.rfc3339),
        "effect": .string(
          expiry <= now ? "it is over: clients that verify it send nothing" : "clients that verify it send nothing then"
        ),
        "hint": .string("renew it, and have it read: systemctl reload, or SIGHUP"),
      ])
  }
}
