import Store

/// What is to be counted of the devices of an app: what it needs of them, and a tally of nothing. A class, so that no core
/// copies all that it holds.
protocol Counting: AnyObject {
  associatedtype Counted: Tally
  /// What questions get to see of a tally.
  associatedtype Sum

  var need: Need { get }
  var start: Counted { get }

  /// - Parameter tally: of this, or of one that covers it.
  func sum(_ tally: Counted) -> Sum
  /// Where it was counted before and stored, and that still holds.
  func stored(_ snapshot: borrowing Snapshot) throws -> Sum?

  /// Likewise, or what it takes to bring it up to now.
  func kept(_ snapshot: borrowing Snapshot) throws -> Kept<Sum>?

  /// Likewise where it was stored of one that covers this; nil where that does not tell.
  func sum(stored: Sum, of wider: Self) -> Sum?

  /// Whether a tally of this tells what another would.
  func covers(_ other: Self) -> Bool
  /// One that covers both; nil where each has to have a tally of its own.
  func union(_ other: Self) -> Self?
}

extension Counting {
  func stored(_ snapshot: borrowing Snapshot) throws -> Sum? { nil }
  func kept(_ snapshot: borrowing Snapshot) throws -> Kept<Sum>? { try stored(snapshot).map(Kept.known) }
  func sum(stored: Sum, of wider: Self) -> Sum? { nil }
  func covers(_ other: Self) -> Bool { self === other }
  func union(_ other: Self) -> Self? { covers(other) ? self : nil }
}

extension Counting where Sum == Counted {
  func sum(_ tally: Counted) -> Sum { tally }
}

extension [any Counting] {
  /// Who covers another comes before it: what is stored of the one may tell of the other.
  var widestFirst: Self {
    let judged = map { (counting: $0, isCovered: $0.isCovered(self)) }
    return (judged.filter { !$0.isCovered } + judged.filter(\.isCovered)).map(\.counting)
  }
}

extension Counting {
  fileprivate func isCovered(_ others: [any Counting]) -> Bool {
    others.contains { other in
      guard let other = other as? Self else { return false }
      return other !== self && other.covers(self) && !covers(other)
    }
  }
}

/// What a question wants to be counted.
public struct Counts {
  let all: [any Counting]
  init(_ all: any Counting...) { self.all = all }
  init(_ all: [any Counting]) { self.all = all }
}
