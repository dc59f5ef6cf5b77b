import Lifecycle

/// Contexts of a page in three columns: where they are, the profile, the network.
enum ContextPage {
  static let (places, profile, network) = ("place", "profile", "network")

  struct Place: Hashable {
    /// Numbers of names; no platform is 0.
    var app, channel, platform: UInt32
  }
  struct Row {
    var id: Int64
    var place: Place
    var profile: UInt32
    var network: Network
  }

  /// Rows in order; those that name what is not there are left out.
  static func read(
    _ connection: borrowing Connection, after first: Int64, upTo last: Int64
  ) throws(StoreError) -> [Row] {
    let rows = try connection.prepare(
      """
      SELECT c.id, a.id, h.id, coalesce(n.id, 0), c.profile, c.network FROM context c JOIN profile p ON p.id = c.profile
        JOIN name a ON a.text = c.app JOIN name h ON h.text = c.channel LEFT JOIN name n ON n.text = p.platform
      WHERE c.id > ? AND c.id <= ? ORDER BY c.id
      """
    ).rows(.integer(first), .integer(last)) { row in
      let numbers = (0..<5 as Range<Int32>).map { row.integer($0) }
      // A damaged one would be no place in a packed key.
      guard numbers.allSatisfy({ 0..<(1 << 30) ~= $0 }) else { return Row?.none }
      return Row(
        id: numbers[0], place: Place(UInt32(numbers[1]), UInt32(numbers[2]), UInt32(numbers[3])),
        profile: UInt32(numbers[4]), network: row.isNull(5) ? [] : Network(row.text(5)))
    }
    for row in rows where row == nil {
      throw StoreError(
        .corrupt, path: connection.path, reason: "a context after \(first) has a number that was never given")
    }
    return rows.compactMap(\.self)
  }

  /// - Parameter first: the number before the first of the page.
  static func packed(_ rows: [Row], after first: Int64) -> [(name: String, bytes: [UInt8])] {
    let list = Set(rows.map(\.place)).sorted { ($0.app, $0.channel, $0.platform) < ($1.app, $1.channel, $1.platform) }
    let numbers = Dictionary(uniqueKeysWithValues: list.enumerated().map { ($1, UInt32($0 + 1)) })
    func column(_ number: (Row) -> UInt32) -> [UInt8] {
      var column = [UInt32](repeating: 0, count: Int(VocabularyPages.rows))
      for row in rows { column[Int(row.id - first) - 1] = number(row) }
      return BitColumn.pack(column)
    }
    let head = [UInt32(list.count)] + list.flatMap { [$0.app, $0.channel, $0.platform] }
    let bytes = head.flatMap { number in withUnsafeBytes(of: number.littleEndian) { Array($0) } }
    return [
      (places, bytes + column { numbers[$0.place] ?? 0 }), (profile, column(\.profile)),
      (network, column { UInt32($0.network.rawValue) }),
    ]
  }

  /// The places of a page, and where their numbers begin; nil where the bytes are none.
  static func places(_ bytes: [UInt8]) -> (list: [Place], end: Int)? {
    func number(_ index: Int) -> UInt32 {
      bytes.withUnsafeBytes { UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)) }
    }
    guard bytes.count >= 4, case let count = Int(number(0)), bytes.count >= 4 + count * 12 else { return nil }
    let list = (0..<count).map { Place(number($0 * 3 + 1), number($0 * 3 + 2), number($0 * 3 + 3)) }
    return (list, 4 + count * 12)
  }
}

extension ContextPage.Place {
  fileprivate init(_ app: UInt32, _ channel: UInt32, _ platform: UInt32) {
    self.init(app: app, channel: channel, platform: platform)
  }
}
