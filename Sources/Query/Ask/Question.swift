import Store

/// Something that is asked of all devices of an app: what it needs of them, what it counts, and what it makes of the sum.
protocol Question {
  associatedtype Counted: Tally
  associatedtype Row: Encodable & Sendable
  var need: Need { get }
  /// A tally of nothing.
  var start: Counted { get }
  func answer(_ counted: Counted) -> Answer<Row>
}

extension Snapshot {
  /// Costs one scan.
  func ask<Asked: Question>(_ question: Asked) throws -> Answer<Asked.Row> {
    question.answer(try count(question.need) { question.start })
  }
}

/// Two tallies that one scan counts.
struct Both<First: Tally, Second: Tally>: Tally {
  var first: First
  var second: Second

  init(_ first: First, _ second: Second) { (self.first, self.second) = (first, second) }

  mutating func count(_ page: borrowing ShardPage) throws {
    try first.count(page)
    try second.count(page)
  }

  mutating func add(_ other: Self) {
    first.add(other.first)
    second.add(other.second)
  }
}

extension Snapshot {
  /// Costs one scan where what the two need goes together, else two.
  func count<First: Tally, Second: Tally>(
    _ one: Need, _ first: () -> First, and other: Need, _ second: () -> Second
  ) throws -> Both<First, Second> {
    guard let need = one.union(other) else {
      return Both(try count(one, start: first), try count(other, start: second))
    }
    return try count(need) { Both(first(), second()) }
  }
}
