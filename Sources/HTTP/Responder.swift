import Locks

/// The right to answer one request, now or later, from any thread. No thread waits meanwhile.
///
/// The first answer counts and later ones are ignored. A responder that goes away without an answer sends a 500.
public final class Responder: Sendable {
  private let deliver: Lock<(@Sendable (Response) -> Void)?>

  /// For tests of handlers: calls `deliver` with the answer.
  public init(_ deliver: @escaping @Sendable (Response) -> Void) { self.deliver = Lock(deliver) }

  deinit {
    let deliver = deliver.withLock { $0.take() }
    deliver?(.error(500, code: "unanswered", "the server did not answer this request"))
  }

  public func respond(_ response: Response) {
    let deliver = deliver.withLock { $0.take() }
    deliver?(response)
  }
}

/// Called on a server thread with a whole request; it must not block.
public typealias Handler = @Sendable (Request, Responder) -> Void
