import Locks
public import Store

/// Lends decoders to threads, so that their memory is made once per thread that decodes at the same time.
public final class DecoderPool: Sendable {
  /// `@unchecked Sendable`: a decoder is either idle in the list or with the one thread that took it out.
  private struct Idle: @unchecked Sendable {
    var decoder: NativeDecoder
  }
  private let keys: IdentityKeys
  private let idle = Lock<[Idle]>([])

  public init(keys: IdentityKeys) { self.keys = keys }

  public func withDecoder<Result>(_ body: (NativeDecoder) -> Result) -> Result {
    let lent = idle.withLock { $0.popLast() } ?? Idle(decoder: NativeDecoder(keys: keys))
    defer { idle.withLock { $0.append(lent) } }
    return body(lent.decoder)
  }
}
