internal import HTTP
internal import Store

/// What bodies that are still coming in may take of memory.
struct BodyBudgets: Sendable {
  /// Of clients who have shown no key yet: their protocol has it inside of the body.
  let strangers: BodyBudget
  /// Of all others. Ingest keys ship in apps, so that holding one proves little.
  let known: BodyBudget

  init(maxBody: Int) {
    strangers = BodyBudget(limit: max(32 << 20, 4 * maxBody))
    known = BodyBudget(limit: max(256 << 20, 32 * maxBody))
  }

  var refused: [(labels: [String], count: Int)] {
    [(["known"], known.gaveWay), (["stranger"], strangers.gaveWay)]
  }
}

extension Service {
  /// Whose budget a request's body is taken from.
  func allowance(_ request: HTTP.Request, isStranger: Bool) -> BodyAllowance {
    BodyAllowance(
      budget: isStranger ? bodies.strangers : bodies.known, holder: limits.client(of: request)?.crowd ?? 0)
  }
}
