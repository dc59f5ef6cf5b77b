public import Lifecycle

/// What the numbers in journeys and devices stand for.
public struct Vocabulary: Sendable {
  public internal(set) var names: [Int64: String] = [:]
  let profileWords: ProfileWords
  /// Whole: slow where nearly each device has one of its own.
  public var profiles: [Int64: DeviceProfile] { profileWords.all }
  /// In order of app and label.
  public internal(set) var releases: [ReleaseRecord] = []
  public internal(set) var lags: [ArrivalLag] = []
  /// Of a warehouse: what its nodes do not have alike.
  public private(set) var differences: [PublicationDifference] = []
  /// Of a warehouse, as its nodes tell it.
  public private(set) var impossible: [ImpossibleAtNode] = []

  /// How many releases and publications there are.
  public var announcements: Int { releases.reduce(releases.count) { $0 + $1.publications.count } }

  /// Every app that an event, a publication or a context names, in order.
  public internal(set) var apps: [String] = []

  /// What events of one app named: another app's channels and platforms are nobody's business.
  public struct Places: Sendable {
    public internal(set) var channels: Set<String> = []
    public internal(set) var platforms: Set<String> = []

    public init(channels: Set<String> = [], platforms: Set<String> = []) {
      (self.channels, self.platforms) = (channels, platforms)
    }
  }
  public internal(set) var places: [String: Places] = [:]

  public func platforms(of app: String) -> Set<String> { places[app]?.platforms ?? [] }
  public func channels(of app: String) -> Set<String> { places[app]?.channels ?? [] }

  public func name(_ id: Int64) -> String { names[id] ?? "" }

  /// As if a release that is known were registered in a place, too.
  public func registering(_ publication: Publication) -> Vocabulary {
    var copy = self
    for index in releases.indices
    where releases[index].app == publication.app && releases[index].label == publication.release {
      copy.releases[index].publications.append(publication)
    }
    return copy
  }

  /// What another engine names.
  public init(
    names: [Int64: String] = [:], profiles: [Int64: DeviceProfile] = [:], releases: [ReleaseRecord] = [],
    lags: [ArrivalLag] = [], places: [String: Places] = [:], differences: [PublicationDifference] = [],
    impossible: [ImpossibleAtNode] = []
  ) {
    (self.names, self.lags, self.places) = (names, lags, places)
    (self.differences, self.impossible) = (differences, impossible)
    profileWords = ProfileWords(profiles)
    self.releases = releases.sorted { ($0.app, $0.label.rawValue) < ($1.app, $1.label.rawValue) }
    apps = Self.apps(places, releases)
  }

  /// A release that was withdrawn and that nobody ever named leaves no app behind.
  static func apps(_ places: [String: Places], _ releases: [ReleaseRecord]) -> [String] {
    let known = releases.filter { !$0.publications.isEmpty || !$0.sightings.isEmpty }
    return Set(places.keys).union(known.map(\.app)).sorted()
  }
}
