/// Devices of one version on a channel and platform, beside all others there.
struct FleetPart {
  let target: FleetCounting.Target
  let platform: String
  let name: String
  let own: FleetCounts
  let rest: FleetCounts
}

extension DiagnosisEvidence {
  private struct Place: Hashable {
    var channel: Int64
    var platform: Int
    var number: Int
  }

  /// Each version beside the others of its place, in order of name; devices that name none are in neither.
  func apart(by part: KeyPath<FleetKey, Int>, names: [String?]) -> [FleetPart] {
    let own = sums { cell in
      cell[keyPath: part] == 0
        ? nil : Place(channel: cell.channel, platform: cell.platform, number: cell[keyPath: part])
    }
    return own.compactMap { place, counts in
      guard let target = target(of: place.channel), let platform = platform(place.platform),
        let name = names[place.number]
      else { return nil }
      var rest = FleetCounts()
      for other in own where other.key.channel == place.channel && other.key.platform == place.platform {
        if other.key.number != place.number { rest.add(other.counts) }
      }
      return FleetPart(target: target, platform: platform, name: name, own: counts, rest: rest)
    }.sorted { ($0.target.channel, $0.platform, $0.name) < ($1.target.channel, $1.platform, $1.name) }
  }
}
