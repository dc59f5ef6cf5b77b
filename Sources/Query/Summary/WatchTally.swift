import Lifecycle
import Store

/// What is asked of the journeys on all releases, so that those on ended ones need not be read: see `ChangeSpan`.
struct WatchCounting {
  let need: Need
  /// Who claims the release before may say so again: its first word since is one about the past.
  fileprivate private(set) var early: [ChangeSpan.Place: Int64] = [:]
  let vocabulary: Vocabulary

  init(_ question: RiskCounting, _ timeline: Timeline) {
    vocabulary = question.vocabulary
    let ids = timeline.releases.map { ($0.id, JourneyColumns.all) }
    need = Need(
      app: question.selection.app, question.selection.population, journeys: Dictionary(uniqueKeysWithValues: ids))
    let numbers = vocabulary.numbers
    for record in timeline.releases {
      for channel in timeline.channels(of: record.id) {
        guard let number = numbers[channel] else { continue }
        for rules in question.rules(of: record.id, on: channel) { early.note(rules, number) }
      }
    }
  }

  var start: WatchTally { WatchTally(question: self) }
}

struct WatchTally: Tally {
  let question: WatchCounting
  private var found: [ChangeSpan.Place: JourneyWatch] = [:]

  init(question: WatchCounting) { self.question = question }

  mutating func count(_ page: borrowing ShardPage) throws {
    for journeys in page.journeys {
      let place = ChangeSpan.Place(release: journeys.release, channel: journeys.channel)
      found[place, default: JourneyWatch()].note(journeys.shard, early: question.early[place])
    }
  }

  mutating func add(_ other: WatchTally, times: Int) {
    precondition(times > 0, "nothing is taken out of a summary that is being made")
    for (place, watch) in other.found { found[place, default: JourneyWatch()].add(watch) }
  }

  var parts: [SummaryPart] {
    found.flatMap { place, watch in
      func part(_ number: Int64, _ values: [Int64]) -> SummaryPart {
        let channel = question.vocabulary.name(place.channel)
        return SummaryPart(
          release: place.release, channel: channel, platform: "", number: number, values: values)
      }
      return [part(SummaryPart.news, watch.news), part(SummaryPart.early, watch.early.sorted().map(Int64.init))]
    }
  }
}

extension SummaryPart {
  static let news: Int64 = 65
  static let early: Int64 = 66
  /// Devices that count as reachable as long as the summary holds; their contacts are not stored.
  static let steady: Int64 = 67
}

extension [ChangeSpan.Place: Int64] {
  /// The release itself and those that count as newer.
  mutating func note(_ rules: RiskRules, _ channel: Int64) {
    for release in [rules.target] + rules.newerReleases {
      let place = ChangeSpan.Place(release: release, channel: channel)
      self[place] = Swift.max(self[place] ?? .min, rules.publishedAt)
    }
  }
}

extension Vocabulary {
  /// Of names.
  var numbers: [String: Int64] { Dictionary(names.map { ($1, $0) }) { first, _ in first } }
}
