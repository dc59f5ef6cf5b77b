public import Lifecycle
public import Store

/// The channels that are looked at where nobody names one: all that a release was registered on, and of the others those that were
/// heard of first.
///
/// The key that apps send with is public: whoever has it can make up channels without end, each of which would cost a verdict, pages
/// and a message to a chat. No later one takes the place of one that was there before.
public struct LookedChannels: Sendable {
  /// Of those that nobody registered a release on.
  public static let mostUnregistered = 20

  /// In order of name.
  public let channels: [String]
  /// Those for which there is no room, the first to be heard of first.
  public let leftOut: [String]

  /// - Parameter release: what is looked at where it came to; nil for all releases.
  public init(_ vocabulary: Vocabulary, _ timeline: Timeline, about release: ReleaseLabel? = nil) {
    let releases = release.map { timeline.record($0).map { [$0] } ?? [] } ?? timeline.releases
    let registered = Set(releases.flatMap { $0.publications.map(\.channel) })
    let inferred = Set(
      releases.filter(\.publications.isEmpty).flatMap(\.sightings).filter { $0.firstSubjectAt != nil }
        .map(\.channel))
    let others = Self.inOrderOfArrival(inferred.subtracting(registered), vocabulary)
    channels = registered.union(others.prefix(Self.mostUnregistered)).sorted()
    leftOut = Array(others.dropFirst(Self.mostUnregistered))
  }

  /// Names have numbers in the order in which they were stored; times of devices may be made up.
  private static func inOrderOfArrival(_ channels: Set<String>, _ vocabulary: Vocabulary) -> [String] {
    guard channels.count > mostUnregistered else { return channels.sorted() }
    var numbers: [String: Int64] = [:]
    for (number, name) in vocabulary.names where channels.contains(name) {
      numbers[name] = min(numbers[name] ?? .max, number)
    }
    return channels.sorted { (numbers[$0] ?? .max, $0) < (numbers[$1] ?? .max, $1) }
  }
}
