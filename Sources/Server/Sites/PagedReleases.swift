internal import Lifecycle
internal import Query
internal import Report
internal import Store

/// Which releases have pages: of thousands, as nightly builds make in some years, those that somebody may still ask about. Each costs
/// some 350 kB, ten times that of memory while pages are made, and a third of a second.
enum PagedReleases {
  /// A release on a channel.
  struct Place {
    var label: String
    var channel: String
    var publishedAt: Timestamp
    var isInferred: Bool
  }
  /// Who is run by one device of so many has pages, however old it is.
  private static let oneOf = 100

  /// Those that were published last, of each channel the last few, and what a share of the app's devices in contact runs.
  ///
  /// Of a channel the last few that are registered have pages as well: whoever has the key that apps send with can make up newer ones.
  ///
  /// - Parameter running: devices by the release that they run.
  static func chosen(_ places: [Place], newest: Int, running: [String: Int], reachable: Int) -> Set<String> {
    let ordered = places.sorted {
      ($1.publishedAt, $0.label, $0.channel) < ($0.publishedAt, $1.label, $1.channel)
    }
    var labels: Set<String> = []
    for place in ordered where labels.count < newest { labels.insert(place.label) }
    for channel in Dictionary(grouping: ordered, by: \.channel).values {
      let registered = channel.filter { !$0.isInferred }
      labels.formUnion((channel.prefix(NewestOfEach.few) + registered.prefix(NewestOfEach.few)).map(\.label))
    }
    return labels.union(running.filter { $0.value > 0 && $0.value * oneOf >= reachable }.keys)
  }
}

extension Asking {
  /// The releases that have pages where nobody chose any.
  func paged(_ glance: Asked<Releases>) -> Set<String> {
    var reachable: [String: Int] = [:]
    for row in glance.data { reachable[row.channel] = row.reachable }
    let running = Dictionary(glance.data.map { ($0.release, $0.running ?? 0) }, uniquingKeysWith: +)
    return PagedReleases.chosen(
      places, newest: order.newest, running: running, reachable: reachable.values.reduce(0, +))
  }

  /// What is yet to be published has no page.
  private var places: [PagedReleases.Place] {
    timeline.releases.flatMap { record in
      timeline.channels(of: record.id).filter(looked.channels.contains).compactMap { channel in
        guard let start = timeline.start(record.id, channel: channel, platform: nil), start.publishedAt <= now else {
          return nil
        }
        return PagedReleases.Place(
          label: record.label.rawValue, channel: channel, publishedAt: start.publishedAt,
          isInferred: start.isInferred)
      }
    }
  }
}
