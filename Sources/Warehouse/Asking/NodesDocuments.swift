import Lifecycle
import Store

/// What all nodes know beside events, put together; releases by their hash.
struct NodesDocuments {
  private(set) var publications: [UInt64: [Publication]] = [:]
  private(set) var differences: [PublicationDifference] = []
  private(set) var sightings: [UInt64: [Sighting]] = [:]
  private(set) var lags: [ArrivalLag] = []
  private(set) var impossible: [ImpossibleAtNode] = []

  init(_ client: WarehouseClient) throws(StoreError) {
    var rows = try client.select(
      """
      SELECT node, kind, max(version), argMax(body, version) FROM \(client.table("state")) GROUP BY node, kind
      ORDER BY node, kind
      """)
    let place = client.address.description
    var nodes: [UInt64: NodePublications] = [:]
    while !rows.isAtEnd {
      let (node, kind) = (try rows.number(UInt64.self), try rows.text())
      let (version, body) = (try rows.number(Int64.self), Array(try rows.nested()))
      try nodes[node, default: NodePublications()].read(kind, version, body, place)
      switch kind {
      case NodeDocuments.sightings:
        for (app, release, sighting) in try NodeDocuments.readSightings(body, place) { add(sighting, app, release) }
      case NodeDocuments.impossible: impossible += try NodeDocuments.readImpossible(body, node, place)
      default:
        if let day = NodeDocuments.day(kind) { lags += try NodeDocuments.readLags(body, day, place) }
      }
    }
    add(nodes)
    differences.sort { $0.place.order < $1.place.order }
    for release in publications.keys { publications[release]?.sort { $0.place < $1.place } }
    for release in sightings.keys { sightings[release]?.sort { $0.place < $1.place } }
  }

  private mutating func add(_ nodes: [UInt64: NodePublications]) {
    var copies: [PublicationPlace: [PublicationOfNodes.Copy]] = [:]
    for (node, publications) in nodes.sorted(by: { $0.key < $1.key }) {
      for (place, copy) in publications.copies(node) { copies[place, default: []].append(copy) }
    }
    for (place, copies) in copies {
      guard let copies = PublicationOfNodes(copies) else { continue }
      if let difference = copies.difference(place) { differences.append(difference) }
      guard let publication = copies.publication else { continue }
      publications[WordHash.of([place.app, place.release.rawValue]), default: []].append(publication)
    }
  }

  private mutating func add(_ sighting: Sighting, _ app: String, _ label: String) {
    let release = WordHash.of([app, label])
    guard let index = sightings[release]?.firstIndex(where: { $0.place == sighting.place }) else {
      sightings[release, default: []].append(sighting)
      return
    }
    guard var known = sightings[release]?[index] else { return }
    known.firstAt = min(known.firstAt, sighting.firstAt)
    known.firstSubjectAt = [known.firstSubjectAt, sighting.firstSubjectAt].compactMap(\.self).min()
    sightings[release]?[index] = known
  }
}

/// The publications of one node, and when it changed them.
private struct NodePublications {
  private var known: [PublicationPlace: Publication] = [:]
  /// nil where the node's program tells of none.
  private var changes: [PublicationPlace: Timestamp]?
  private var (told, retired) = (Int64.min, Int64.min)

  /// What it ships afterwards shows that it is a node all the same.
  var isRetired: Bool { retired >= told && retired > .min }

  mutating func read(_ kind: String, _ version: Int64, _ body: [UInt8], _ place: String) throws(StoreError) {
    if kind == RetiredNodes.kind { retired = version } else { told = max(told, version) }
    if kind == NodeDocuments.publications {
      for publication in try NodeDocuments.readPublications(body, place) {
        known[PublicationPlace(publication)] = publication
      }
    }
    if kind == NodeDocuments.changes {
      let changes = try NodeDocuments.readChanges(body, place)
      self.changes = Dictionary(changes.map { ($0.place, $0.at) }, uniquingKeysWith: max)
    }
  }

  func copies(_ node: UInt64) -> [PublicationPlace: PublicationOfNodes.Copy] {
    let places = Set(known.keys).union(changes.map { Set($0.keys) } ?? [])
    return Dictionary(
      uniqueKeysWithValues: places.map { place in
        let changedAt = changes.map { $0[place] ?? .never }
        return (place, .init(node: node, publication: known[place], changedAt: changedAt, isRetired: isRetired))
      })
  }
}

extension PublicationPlace {
  fileprivate var order: [String] { [app, release.rawValue, channel, platform ?? ""] }
}

extension Publication {
  fileprivate var place: [String] { [channel, platform ?? ""] }
}

extension Sighting {
  fileprivate var place: [String] { [channel, platform ?? ""] }
}

extension [String] {
  fileprivate static func < (left: [String], right: [String]) -> Bool { left.lexicographicallyPrecedes(right) }
}
