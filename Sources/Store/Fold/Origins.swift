/// What the numbers in the event table stand for, as far as the fold needs to know.
struct Origins {
  struct Origin {
    var app: Int64
    var channel: Int64
    var platform: Int64
    var profile: Int64
    var network: Network
  }
  private var origins: [Int64: Origin] = [:]
  /// The alphabetical place of each name.
  private var ranks: [Int64: Int] = [:]

  init(_ connection: borrowing Connection) throws(StoreError) {
    let rows = try connection.prepare(
      """
      SELECT c.id, a.id, h.id, coalesce(n.id, 0), c.profile, c.network FROM context c JOIN profile p ON p.id = c.profile
        JOIN name a ON a.text = c.app JOIN name h ON h.text = c.channel LEFT JOIN name n ON n.text = p.platform
      """)
    while try rows.step() {
      origins[rows.integer(0)] = Origin(
        app: rows.integer(1), channel: rows.integer(2), platform: rows.integer(3), profile: rows.integer(4),
        network: rows.isNull(5) ? [] : Network(rows.text(5)))
    }
    let names = try connection.prepare("SELECT id FROM name ORDER BY text").rows { $0.integer(0) }
    for (rank, id) in names.enumerated() { ranks[id] = rank }
  }

  func origin(_ context: Int64) -> Origin? { origins[context] }
  func rank(_ name: Int64) -> Int { ranks[name] ?? .max }
}
