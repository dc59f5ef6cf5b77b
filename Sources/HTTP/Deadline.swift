import Synchronization

/// When a connection must have got on, and with what; read by one thread while another moves it.
struct Deadline: ~Copyable, Sendable {
  enum Stage: Int64, Sendable { case head, body, idle, send }

  private static let none: Int64 = 0
  private static let cut: Int64 = -1
  /// Milliseconds times 4 plus the stage.
  private let packed = Atomic<Int64>(none)

  func set(_ stage: Stage, at milliseconds: Int64) {
    move(to: milliseconds << 2 | stage.rawValue)
  }

  func clear() { move(to: Self.none) }

  private func move(to new: Int64) {
    let old = packed.load(ordering: .relaxed)
    if old != Self.cut { _ = packed.compareExchange(expected: old, desired: new, ordering: .relaxed) }
  }

  var stage: Stage? {
    let value = packed.load(ordering: .relaxed)
    return value > 0 ? Stage(rawValue: value & 3) : nil
  }

  /// True once: when the deadline is past, or, with `idleToo`, when the connection is idle. It cannot be set again.
  func cut(now: Int64, idleToo: Bool) -> Stage? {
    let value = packed.load(ordering: .relaxed)
    guard value > 0, let stage = Stage(rawValue: value & 3) else { return nil }
    guard value >> 2 <= now || (idleToo && stage == .idle) else { return nil }
    let (exchanged, _) = packed.compareExchange(expected: value, desired: Self.cut, ordering: .relaxed)
    return exchanged ? stage : nil
  }
}
