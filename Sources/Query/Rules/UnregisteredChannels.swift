internal import Console
import Lifecycle
import Store

/// Channels that no release is registered on, and devices take one that is registered on others: no answer counts them there.
///
/// By what is kept of releases, so without counts: one device is enough. On a channel with releases of its own it may be one that came
/// from another channel and brought the release.
struct UnregisteredChannels: Equatable {
  private struct Place: Equatable {
    var release: ReleaseLabel
    var channel: String
    var since: Timestamp
  }
  private let app: String
  private let places: [Place]

  /// - Parameters:
  ///   - releases: that an answer is about; nil for all of the app.
  ///   - channels: that are looked at; empty for all.
  init?(_ vocabulary: Vocabulary, app: String, now: Timestamp, about releases: Set<String>?, on channels: [String]) {
    self.app = app
    let own = vocabulary.releases.filter { $0.app == app }
    let registered = Set(own.flatMap { $0.publications.map(\.channel) })
    places = own.filter { record in
      record.publications.contains { $0.publishedAt <= now } && releases?.contains(record.label.rawValue) ?? true
    }.flatMap { record in
      Self.places(of: record, until: now).filter { place in
        !registered.contains(place.channel) && (channels.isEmpty || channels.contains(place.channel))
      }
    }
    if places.isEmpty { return nil }
  }

  /// Each channel with the first event about the release there; where it was withdrawn that is said instead.
  private static func places(of record: ReleaseRecord, until now: Timestamp) -> [Place] {
    let taken = Dictionary(grouping: record.sightings, by: \.channel).compactMapValues { seen in
      seen.compactMap(\.firstSubjectAt).filter { $0 <= now }.min()
    }
    return taken.filter { channel, _ in !record.withdrawals.contains { $0.channel == channel } }
      .sorted { $0.key < $1.key }.map { Place(release: record.label, channel: $0.key, since: $0.value) }
  }

  var words: String {
    places.prefix(3).map { place in
      "devices on \(named(place.channel)) took \(named(place.release.rawValue)) since \(place.since.words), and no release is"
        + " registered there"
    }.joined(separator: "; ") + (places.count > 3 ? "; and \(places.count - 3) more" : "")
      + ": nothing here counts them; to register \(places.count > 1 ? "the first of these" : "it") there"
  }

  /// What registers the first of them.
  var command: ShellCommand? {
    places.first.map {
      ShellCommand("uptake", "release", "publish").argument($0.release.rawValue)
        .option("app", app).option("channel", $0.channel).option("at", $0.since.rfc3339)
    }
  }
}
