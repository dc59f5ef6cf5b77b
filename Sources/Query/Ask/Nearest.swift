internal import Lifecycle
internal import Store

extension Timeline {
  /// Releases whose labels are like the one given, the likest first; of equally like ones that which was published last.
  func nearest(_ label: ReleaseLabel) -> [String] {
    let known = named.map { record in
      (
        came: record.publications.map(\.publishedAt).max() ?? record.sightings.map(\.firstAt).min(),
        name: record.label.rawValue
      )
    }
    let newestFirst = known.sorted { ($0.came?.rawValue ?? .min, $1.name) > ($1.came?.rawValue ?? .min, $0.name) }
    return Query.nearest(label.rawValue, in: newestFirst.map(\.name))
  }
}

/// Up to three names that are like the one given, the likest first; equally like ones in the order in which they are known.
func nearest(_ name: String, in known: [String]) -> [String] {
  let ranked = known.enumerated().map { place, known in
    (distance: editDistance(Array(name.unicodeScalars), Array(known.unicodeScalars)), place: place, name: known)
  }.filter { $0.distance <= max(2, name.count / 3) || $0.name.hasPrefix(name) }
  return ranked.sorted { ($0.distance, $0.place) < ($1.distance, $1.place) }.prefix(3).map(\.name)
}
