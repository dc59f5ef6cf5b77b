import Lifecycle
internal import Statistics
internal import Store

/// What is asked, the same for every shard; a class, so that no core copies all that it holds.
final class ChannelCounting: Counting {
  let extent: FleetScope
  let options: Channels.Options
  let end: CutOff
  let vocabulary: Vocabulary
  let names: GroupNames
  let splits: SliceSplits
  let splitsPlatforms: Bool

  init(_ vocabulary: Vocabulary, _ extent: FleetScope, _ options: Channels.Options) {
    (self.vocabulary, self.extent, self.options) = (vocabulary, extent, options)
    end = CutOff(vocabulary, app: extent.app, now: extent.now)
    names = GroupNames(vocabulary)
    splits = SliceSplits(options.by, only: extent.only, names.profiles)
    splitsPlatforms = options.by.contains(.platform)
  }

  var need: Need { Need(app: extent.app, extent.population, devices: splits.needs.union(.runs)) }
  var start: ChannelTally { ChannelTally(self) }

  func findings(_ counted: ChannelTally) -> Findings<Channels> {
    let releases = Dictionary(
      uniqueKeysWithValues: Timeline(vocabulary, app: extent.app).releases.map { ($0.id, $0.label.rawValue) })
    var (rows, withheld): ([Channels], [Withheld]) = ([], [])
    for (key, counts) in counted.counts {
      guard let release = releases[key.kind], extent.release.map({ $0.rawValue == release }) ?? true else { continue }
      let group = names.labels(key, by: options.by, splits.slices, kind: release)
      if extent.smallGroups.isShown(counts.devices) {
        rows.append(row(group, release, counts))
      } else {
        withheld.append(Withheld(group: group, release: release))
      }
    }
    return Findings(
      rows: rows.sorted { ($0.release, $0.group) < ($1.release, $1.group) },
      withheld: withheld.sorted { ($0.release ?? "", $0.group) < ($1.release ?? "", $1.group) },
      warnings: cutOffWarnings(end), dataThrough: counted.newest.at, end: end,
      echo: ["by": .texts(options.by.map(\.rawValue))])
  }

  private func row(_ group: Labels, _ release: String, _ counts: ChannelTally.Counts) -> Channels {
    let moves = extent.smallGroups.sifted(
      counts.moves.map {
        Channels.Move(from: vocabulary.name($0.key.from), to: vocabulary.name($0.key.to), devices: $0.value)
      }
    ) { $0.devices }
    return Channels(
      group: group, release: release, devices: counts.devices, changed: counts.changed,
      share: Proportion(Int64(counts.changed), of: Int64(counts.devices)).wilson(level: extent.level),
      moves: moves.shown.sorted { ($1.devices, $0.from, $0.to) < ($0.devices, $1.from, $1.to) },
      movesWithheld: moves.withheld)
  }
}

extension ChannelCounting {
  func includes(platform: Int) -> Bool {
    extent.platforms.isEmpty || names.profiles.platforms[platform].map(extent.platforms.contains) ?? false
  }
  /// Whether anything between two instants is in the time that is looked at.
  func touches(_ start: Int64, _ end: Int64) -> Bool {
    (extent.since.map { end >= $0.rawValue } ?? true) && (extent.until.map { start < $0.rawValue } ?? true)
  }
  func includes(channel: Int64) -> Bool {
    extent.channels.isEmpty || extent.channels.contains(vocabulary.name(channel))
  }
}
