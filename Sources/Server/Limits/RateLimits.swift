public import HTTP
internal import Ingest
internal import Locks

/// Keeps one client, or one key that leaked, from taking the service away from the others.
///
/// This machine's own addresses have no limit: what runs here was let in by the operator. A proxy is no client: what it
/// says about its clients counts once `--trusted-proxy` names it.
public final class RateLimits: Sendable {
  public struct Settings: Sendable {
    /// Requests a second; 0 is no limit.
    public var perAddress: Int
    public var perKey: Int
    public var trustedProxies: [AddressRange]
    /// A minute; 0 is no limit.
    public var newDevicesPerKey: Int

    public init(perAddress: Int, perKey: Int, trustedProxies: [AddressRange], newDevicesPerKey: Int = 0) {
      (self.perAddress, self.perKey, self.trustedProxies) = (perAddress, perKey, trustedProxies)
      self.newDevicesPerKey = newDevicesPerKey
    }

    /// How many seconds' worth may come at once: a push wakes a fleet, and phones behind one address come together.
    static let burstSeconds = 20
  }

  let refused = Counter()
  private let trustedProxies: [AddressRange]
  private let addresses: Lock<TokenBuckets?>
  private let keys: Lock<TokenBuckets?>

  init(_ settings: Settings) {
    trustedProxies = settings.trustedProxies
    addresses = Lock(Self.buckets(settings.perAddress))
    keys = Lock(Self.buckets(settings.perKey))
  }

  private static func buckets(_ rate: Int) -> TokenBuckets? {
    rate == 0 ? nil : TokenBuckets(perSecond: rate, burst: rate * Settings.burstSeconds)
  }

  /// Before anything else is looked at, so that guessing keys and asking for nothing is limited as well.
  func excess(of request: Request) -> Excess? {
    guard let client = client(of: request), !client.isLoopback else { return nil }
    let wait = addresses.withLock { $0?.take(client.crowd, now: MonotonicClock.nanoseconds()) }
    return wait.map { excess("address", $0) }
  }

  func excess(ofKey key: Int64?) -> Excess? {
    guard let key else { return nil }
    let wait = keys.withLock { $0?.take(UInt64(bitPattern: key), now: MonotonicClock.nanoseconds()) }
    return wait.map { excess("key", $0) }
  }

  /// Who asks: the last address on the way here that no trusted proxy has.
  func client(of request: Request) -> ClientAddress? {
    let peer = request.address
    guard isTrusted(peer) else { return peer }
    let hops = request.headers.all("x-forwarded-for").joined(separator: ",").split(separator: ",")
    for hop in hops.reversed() {
      guard let address = ClientAddress(hop) else { return peer }
      if !isTrusted(address) { return address }
    }
    return peer
  }

  /// - Parameter address: nil for whoever comes through a socket in the file system.
  private func isTrusted(_ address: ClientAddress?) -> Bool {
    trustedProxies.contains { range in address.map(range.contains) ?? range.isOfSockets }
  }

  private func excess(_ what: String, _ nanoseconds: Int64) -> Excess {
    refused.add(1, what)
    return Excess(what: what, seconds: Int(max(1, (nanoseconds + 999_999_999) / 1_000_000_000)))
  }
}

/// A request too many.
struct Excess {
  /// What it is counted for: `address` or `key`.
  var what: String
  /// When one would be taken again.
  var seconds: Int

  private var message: String { "too many requests with this \(what); send them again in \(seconds) s" }

  var response: Response {
    Response.error(429, code: "too_many_requests", message).retry(after: seconds)
  }

  /// The same for clients of another system, who are answered in their protocol.
  var problem: DialectProblem { DialectProblem(.limited(seconds: seconds), message) }
}
