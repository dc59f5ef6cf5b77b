import Lifecycle
import Locks
import Store

/// Tallies of default questions that lie in the warehouse. They are derived: losing one costs time, never an answer.
///
/// All rows of one summary have its token; its head says for which state they hold and which rows there are. Rows of
/// another summary take their place one by one, so whoever finds one missing takes none.
final class KeptSummaries: Sendable {
  fileprivate struct Head {
    var token: UInt64
    var state: SummaryState
    /// By what rows there are.
    var pieces: Set<Piece>
  }
  fileprivate struct Piece: Hashable {
    var release: UInt64
    var kind: Kind
  }
  /// Which columns lie in a row: what one question asks for.
  fileprivate enum Kind: UInt8, CaseIterable {
    case head, tables, counts, attempts, stages, background, wakeUps, pushes, legs, reach

    var numbers: Range<Int64> {
      switch self {
      case .head: 0..<0
      case .tables: 0..<60
      case .counts: 60..<100
      case .attempts: 100..<120
      case .stages: 120..<160
      case .background: 160..<200
      case .wakeUps: 200..<220
      case .pushes: 220..<1000
      case .legs: 1000..<1 << 30
      case .reach: 1 << 30..<Int64.max
      }
    }
  }

  private let client: WarehouseClient
  /// By app, as looked up first: an answer is of one moment.
  private let heads = Lock<[UInt64: Head?]>([:])

  init(_ client: WarehouseClient) { self.client = client }

  func state(_ app: UInt64) throws(StoreError) -> SummaryState? { try head(app)?.state }

  /// - Parameter releases: their hashes, 0 for what is about none.
  func parts(
    _ app: UInt64, _ releases: [UInt64: Int64], _ numbers: Range<Int64>
  ) throws(StoreError) -> [SummaryPart]? {
    guard let head = try head(app) else { return nil }
    let kinds = Kind.allCases.filter { numbers.overlaps($0.numbers) }
    let wanted = head.pieces.filter { releases[$0.release] != nil && kinds.contains($0.kind) }
    if wanted.isEmpty { return [] }
    var rows = try client.select(
      """
      SELECT release, kind, any(body) FROM \(client.table("summary"))
      WHERE app = \(app) AND token = \(head.token) AND release IN (\(list(Set(wanted.map(\.release)))))
      AND kind IN (\(list(Set(wanted.map { UInt64($0.kind.rawValue) })))) GROUP BY release, kind
      """)
    var (found, parts) = (0, [SummaryPart]())
    while !rows.isAtEnd {
      let (release, kind) = (try rows.number(UInt64.self), Kind(rawValue: try rows.number()))
      let body = Array(try rows.nested())
      guard let kind, wanted.contains(Piece(release: release, kind: kind)) else { continue }
      guard let read = self.parts(body, releases[release] ?? 0) else { return nil }
      found += 1
      parts += read.filter { numbers.contains($0.number) }
    }
    return found == wanted.count ? parts : nil
  }

  private func list(_ numbers: Set<UInt64>) -> String { numbers.sorted().map { "\($0)" }.joined(separator: ", ") }

  private func head(_ app: UInt64) throws(StoreError) -> Head? {
    try heads.withLock { heads throws(StoreError) in
      if let known = heads[app] { return known }
      let head = try read(app)
      heads[app] = .some(head)
      return head
    }
  }

  private func read(_ app: UInt64) throws(StoreError) -> Head? {
    let state = try WarehouseState(client).number
    var rows = try client.select(
      """
      SELECT token, body FROM \(client.table("summary"))
      WHERE app = \(app) AND release = 0 AND kind = \(Kind.head.rawValue) AND state = \(state)
      ORDER BY version DESC LIMIT 1
      """)
    if rows.isAtEnd { return nil }
    let (token, body) = (try rows.number(UInt64.self), Array(try rows.nested()))
    // What another layout left there is no summary.
    return try? Head(token, state, body, client.address.description)
  }
}

extension KeptSummaries {
  /// For which states the newest summaries hold, app by app.
  static func states(_ client: WarehouseClient) throws(StoreError) -> [Int64] {
    var rows = try client.select(
      """
      SELECT argMax(state, version) FROM \(client.table("summary"))
      WHERE release = 0 AND kind = \(Kind.head.rawValue) GROUP BY app
      """)
    var states: [Int64] = []
    while !rows.isAtEnd { states.append(try rows.number()) }
    return states
  }
}

// MARK: their rows

extension KeptSummaries {
  /// Keeps a summary, unless something changed since its state.
  func keep(_ state: SummaryState, _ parts: [(release: UInt64, part: SummaryPart)], _ app: UInt64) throws(StoreError) {
    guard try WarehouseState(client).number == state.folded else { return }
    var newest = try client.select("SELECT max(version) FROM \(client.table("summary")) WHERE app = \(app)")
    let (version, token) = (try newest.number(Int64.self) + 1, UInt64.random(in: 1 ... .max))
    let pieces = Dictionary(grouping: parts) { Piece($0.release, $0.part) }
    var rows = RowWriter()
    func add(_ piece: Piece, _ body: [UInt8]) {
      rows.add(app)
      rows.add(piece.release)
      rows.add(piece.kind.rawValue)
      rows.add(state.folded)
      rows.add(version)
      rows.add(token)
      rows.add(body)
      rows.endRow()
    }
    for (piece, parts) in pieces { add(piece, body(parts.map(\.part))) }
    if rows.rows > 0 { try client.insert(into: "summary", rows.bytes) }
    // Last: whoever finds it finds the others.
    rows = RowWriter()
    add(Piece(release: 0, kind: .head), Self.head(state, Set(pieces.keys)))
    try client.insert(into: "summary", rows.bytes)
  }

  private func body(_ parts: [SummaryPart]) -> [UInt8] {
    var rows = RowWriter()
    for part in parts {
      rows.add(part.channel)
      rows.add(part.platform)
      rows.add(part.number)
      rows.add(part.packed)
    }
    return rows.bytes
  }

  /// nil where they are not as this program writes them.
  private func parts(_ body: [UInt8], _ release: Int64) -> [SummaryPart]? {
    var (rows, parts) = (RowReader(body, client.address.description), [SummaryPart]())
    while !rows.isAtEnd {
      guard let channel = try? rows.text(), let platform = try? rows.text(), let number = try? rows.number(Int64.self),
        let packed = try? rows.nested(),
        let part = SummaryPart(
          release: release, channel: channel, platform: platform, number: number, packed: Array(packed))
      else { return nil }
      parts.append(part)
    }
    return parts
  }

  private static func head(_ state: SummaryState, _ pieces: Set<Piece>) -> [UInt8] {
    var rows = RowWriter()
    for time in [state.since, state.until] { rows.add(time.rawValue) }
    rows.add(state.dataThrough?.rawValue ?? .min)
    rows.add(state.ground)
    for piece in pieces.sorted(by: { ($0.release, $0.kind.rawValue) < ($1.release, $1.kind.rawValue) }) {
      rows.add(piece.release)
      rows.add(piece.kind.rawValue)
    }
    return rows.bytes
  }
}

extension KeptSummaries.Piece {
  fileprivate init(_ release: UInt64, _ part: SummaryPart) {
    let kind = KeptSummaries.Kind.allCases.first { $0.numbers.contains(part.number) }
    self.init(release: release, kind: kind ?? .legs)
  }
}

extension KeptSummaries.Head {
  fileprivate init?(_ token: UInt64, _ state: Int64, _ body: [UInt8], _ place: String) throws(StoreError) {
    var rows = RowReader(body, place)
    let (since, until) = (Timestamp(rawValue: try rows.number()), Timestamp(rawValue: try rows.number()))
    let through = try rows.number(Int64.self)
    self.token = token
    self.state = SummaryState(
      folded: state, since: since, until: until,
      dataThrough: through == .min ? nil : Timestamp(rawValue: through), ground: try rows.text())
    pieces = []
    while !rows.isAtEnd {
      let release = try rows.number(UInt64.self)
      guard let kind = KeptSummaries.Kind(rawValue: try rows.number()) else { return nil }
      pieces.insert(.init(release: release, kind: kind))
    }
  }
}
