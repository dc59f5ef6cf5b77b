import Lifecycle
import Store

/// What all nodes know beside events, put together; releases by their hash.
struct NodesDocuments {
  private(set) var publications: [UInt64: [Publication]] = [:]
  private(set) var sightings: [UInt64: [Sighting]] = [:]
  private(set) var lags: [ArrivalLag] = []

  init(_ client: WarehouseClient) throws(StoreError) {
    var rows = try client.select(
      "SELECT node, kind, argMax(body, version) FROM \(client.table("state")) GROUP BY node, kind ORDER BY node, kind")
    let place = client.address.description
    while !rows.isAtEnd {
      _ = try rows.number(UInt64.self)
      let (kind, body) = (try rows.text(), Array(try rows.nested()))
      switch kind {
      case NodeDocuments.publications:
        for publication in try NodeDocuments.readPublications(body, place) { add(publication) }
      case NodeDocuments.sightings:
        for (app, release, sighting) in try NodeDocuments.readSightings(body, place) { add(sighting, app, release) }
      default:
        if let day = NodeDocuments.day(kind) { lags += try NodeDocuments.readLags(body, day, place) }
      }
    }
    for release in publications.keys { publications[release]?.sort { $0.place < $1.place } }
    for release in sightings.keys { sightings[release]?.sort { $0.place < $1.place } }
  }

  /// Of a publication that several nodes know, the earliest counts.
  private mutating func add(_ publication: Publication) {
    let release = WordHash.of([publication.app, publication.release.rawValue])
    guard let index = publications[release]?.firstIndex(where: { $0.place == publication.place }) else {
      publications[release, default: []].append(publication)
      return
    }
    let known = publications[release]?[index]
    if known.map({ publication.publishedAt < $0.publishedAt }) == true { publications[release]?[index] = publication }
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

extension Publication {
  fileprivate var place: [String] { [channel, platform ?? ""] }
}

extension Sighting {
  fileprivate var place: [String] { [channel, platform ?? ""] }
}

extension [String] {
  fileprivate static func < (left: [String], right: [String]) -> Bool { left.lexicographicallyPrecedes(right) }
}
