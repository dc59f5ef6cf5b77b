/// A question about the devices of which more was heard than a summary knows, asked together with others.
public protocol HeardAsking: AnyObject {
  var need: Need { get }
  var span: HeardSpan { get }
  /// Of one thread.
  func counter() -> any HeardCounter
  func take(_ counter: any HeardCounter)
}

extension HeardAsking {
  fileprivate func isAlike(_ other: any HeardAsking) -> Bool {
    need.app == other.need.app && need.last == other.need.last && need.shards == other.need.shards
      && span.last == other.span.last
  }
}

/// What one thread counts for a question, shard after shard.
public protocol HeardCounter: AnyObject {
  func count(_ page: borrowing ShardPage) throws
}

/// Such a question, with what each thread counted.
public final class HeardAsk<State>: HeardAsking {
  public let need: Need
  public let span: HeardSpan
  public let start: State
  private let body: (inout State, borrowing ShardPage) throws -> Void
  /// What there is after the scan; to be added up.
  public private(set) var states: [State] = []

  public init(
    _ need: Need, _ span: HeardSpan, _ start: State,
    _ count: @escaping (inout State, borrowing ShardPage) throws -> Void
  ) {
    (self.need, self.span, self.start, body) = (need, span, start, count)
  }

  public func counter() -> any HeardCounter { Counter(start, body) }
  public func take(_ counter: any HeardCounter) {
    if let counter = counter as? Counter { states.append(counter.state) }
  }

  private final class Counter: HeardCounter {
    var state: State
    private let body: (inout State, borrowing ShardPage) throws -> Void

    init(_ state: State, _ body: @escaping (inout State, borrowing ShardPage) throws -> Void) {
      (self.state, self.body) = (state, body)
    }

    func count(_ page: borrowing ShardPage) throws { try body(&state, page) }
  }
}

/// Of one thread.
private struct HeardWorker {
  private var shared = HeardShard()
  private(set) var asked: [(room: HeardRoom, counter: any HeardCounter)]
  private let readers: [ShardReader]
  private let spans: [HeardSpan]

  init(_ asks: [any HeardAsking], _ readers: [ShardReader]) {
    (spans, self.readers) = (asks.map(\.span), readers)
    asked = zip(asks, readers).map { (HeardRoom($1, $0.span), $0.counter()) }
  }

  /// Only for who has the turn.
  mutating func read(_ shard: Int) throws(StoreError) {
    for index in asked.indices { asked[index].room.clear() }
    shared.begin()
    try readers[0].read(shard, of: spans, into: &shared)
  }

  mutating func count(_ shard: Int) throws {
    let facts = shared.isHeard ? try HeardFacts(shard, spans, shared.sorted, readers) : nil
    for index in asked.indices {
      if let facts { try asked[index].room.unpack(shard, facts, &shared) }
      try asked[index].counter.count(asked[index].room.page)
    }
  }
}

extension Snapshot {
  /// Goes through the shards of an app on all cores, as `scan` does, and shows of each only the devices of which more was heard than a
  /// summary knows.
  public func scan<State>(
    _ need: Need, _ span: HeardSpan, start: State, _ count: @escaping (inout State, borrowing ShardPage) throws -> Void
  ) throws -> [State] {
    let ask = HeardAsk(need, span, start, count)
    try scan([ask])
    return ask.states
  }

  /// The same for several questions at once, which read together what is the same for all.
  ///
  /// Those of another app, about other events or beside another summary are asked after the others.
  public func scan(_ asks: [any HeardAsking]) throws {
    guard let first = asks.first else { return }
    try scan(together: asks.filter { $0.isAlike(first) }, first)
    try scan(asks.filter { !$0.isAlike(first) })
  }

  private func scan(together asks: [any HeardAsking], _ first: any HeardAsking) throws {
    for ask in asks { try require(ask.need.population) }
    guard isFile, asks.allSatisfy(\.need.population.isEverybody), let app = appID(first.need.app) else { return }
    let turn = ReadingTurn()
    var readers: [ShardReader] = []
    for ask in asks { readers.append(try ShardReader(self, ask.need, app: app, turn)) }
    let found = try eachShard(
      first.need.shards, turn, start: { HeardWorker(asks, readers) }, read: { try $0.read($1) }
    ) { try $0.count($1) }
    for worker in found { for (ask, own) in zip(asks, worker.asked) { ask.take(own.counter) } }
  }
}
