import Lifecycle

/// What the numbers in the event table stand for, as far as the fold needs to know.
struct Origins {
  struct Origin {
    var app: Int64
    var channel: Int64
    var platform: Int64
    var profile: Int64
    var network: Network
  }
  /// By number of the context, which are given one after another.
  private var origins: [Origin?] = []

  init(_ connection: borrowing Connection) throws(StoreError) {
    let rows = try connection.prepare(
      """
      SELECT c.id, a.id, h.id, coalesce(n.id, 0), c.profile, c.network FROM context c JOIN profile p ON p.id = c.profile
        JOIN name a ON a.text = c.app JOIN name h ON h.text = c.channel LEFT JOIN name n ON n.text = p.platform
      ORDER BY c.id
      """)
    while try rows.step() {
      let numbers = (0..<5 as Range<Int32>).map { rows.integer($0) }
      // They are given one after another: a damaged one would ask for all memory, or be no place in a packed key.
      guard numbers.allSatisfy({ 0..<(1 << 30) ~= $0 }), numbers[0] < origins.count + 1 << 20 else {
        throw StoreError(
          .corrupt, path: connection.path, reason: "context \(numbers[0]) has a number that was never given")
      }
      let context = Int(numbers[0])
      if context >= origins.count { origins += repeatElement(nil, count: context + 1 - origins.count) }
      origins[context] = Origin(
        app: rows.integer(1), channel: rows.integer(2), platform: rows.integer(3), profile: rows.integer(4),
        network: rows.isNull(5) ? [] : Network(rows.text(5)))
    }
  }

  func origin(_ context: Int32) -> Origin? {
    context >= 0 && context < origins.count ? origins[Int(context)] : nil
  }
}

/// The alphabetical place of each name.
struct NameRanks {
  private var ranks: [Int64: Int] = [:]

  init(_ connection: borrowing Connection) throws(StoreError) {
    let names = try connection.prepare("SELECT id FROM name ORDER BY text").rows { $0.integer(0) }
    for (rank, id) in names.enumerated() { ranks[id] = rank }
  }

  func rank(_ name: Int64) -> Int { ranks[name] ?? .max }
}
