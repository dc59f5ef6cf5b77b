import Lifecycle
import Store
import Testing

@testable import Query

/// What a timeline finds out once about all its releases is what each of them says.
@Suite struct ArrivalsTests {
  @Test(arguments: 0..<5) func theyAreAsReleasesSay(_ seed: Int) throws {
    var random = RandomFleet(seed: seed, isDense: seed % 2 == 0)
    let fleet = try random.stored()
    let snapshot = try Snapshot(path: fleet.path)
    let timeline = Timeline(snapshot.vocabulary, app: try snapshot.vocabulary.chosenApp(nil))
    let arrivals = Arrivals(timeline.releases, timeline.platforms)
    for channel in timeline.channels + ["nowhere"] {
      for platform in timeline.platforms.map(Optional.some) + [nil, "watch"] {
        let found = arrivals.there(channel, platform, of: timeline.releases)
        let starts = timeline.releases.map { timeline.start($0.id, channel: channel, platform: platform) }
        #expect(found.map(\.place) == starts.indices.filter { starts[$0] != nil }, "\(channel) \(platform ?? "-")")
        #expect(found.map(\.start) == starts.compactMap(\.self))
        let spoken = found.map { arrival in
          timeline.releases[arrival.place].sightings.filter { $0.channel == channel }.map(\.firstAt).min()
        }
        #expect(found.map(\.heard) == spoken)
      }
    }
  }
}
