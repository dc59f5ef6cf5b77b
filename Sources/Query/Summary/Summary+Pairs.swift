import Lifecycle
import Statistics
import Store

/// What the same devices did with the newest release of a channel and with the one before it: a verdict holds one against the other.
extension Summary {
  /// nil where that was not counted of every pair, and where the summary was replaced meanwhile.
  func shared(_ snapshot: borrowing Snapshot, _ pairs: [ReleasePair]) throws -> [SharedCell]? {
    let releases = [0] + Set(pairs.map(\.first)).sorted()
    let numbers = SummaryPart.paired..<SummaryPart.ofShared.upperBound
    guard let read = try snapshot.summary(app: selection.app, releases: releases, numbers),
      SummaryPart.pairs(read).isSuperset(of: pairs)
    else { return nil }
    return SummaryPart.sharedCells(read, of: pairs, at: cutOff.at)?.filter { selection.includes($0.first) }
  }
}

extension SummaryPart {
  /// Of which it was counted what devices did with both.
  static func pairs(_ parts: [SummaryPart]) -> Set<ReleasePair> {
    let ids = parts.first { $0.number == paired }?.values ?? []
    return Set(stride(from: 0, to: ids.count - 1, by: 2).map { ReleasePair(first: ids[$0], second: ids[$0 + 1]) })
  }

  /// nil where columns are damaged.
  static func sharedCells(_ read: [SummaryPart], of pairs: [ReleasePair], at cutOff: Timestamp) -> [SharedCell]? {
    var found: [SharedCell] = []
    for pair in pairs {
      let own = Dictionary(grouping: read.filter { $0.release == pair.first }, by: \.group)
      for (group, parts) in own {
        guard let ends = SharedEnds(parts, with: pair.second, at: cutOff) else { return nil }
        found.append(SharedCell(pair: pair, first: group, second: group, ends: ends))
      }
    }
    return found
  }
}

// MARK: in a summary

extension RiskTally {
  /// - Parameter until: the latest cutoff that may be put in.
  func pairParts(until: Timestamp = OpenBackground.endOfTime) -> [SummaryPart] {
    segments.flatMap {
      SummaryPart.parts($0.shared.stored, of: question.pairs, $0.group, for: question.cutOff.at...until)
    } + [SummaryPart.paired(question.pairs)]
  }
}

extension RiskCounting {
  /// The releases that a verdict asks about together, with the cutoff left open.
  convenience init(paired timeline: Timeline, _ vocabulary: Vocabulary, _ app: String, _ cutOff: Timestamp) {
    let pairs = timeline.newestPairs(of: app, at: cutOff)
    let targets = timeline.releases.filter { release in
      pairs.contains { $0.first == release.id || $0.second == release.id }
    }
    self.init(open: targets, vocabulary, app, timeline, cutOff, pairs: pairs)
  }
}

extension Timeline {
  /// The newest release of each channel with the one before it.
  func newestPairs(of app: String, at cutOff: Timestamp) -> Set<ReleasePair> {
    let pairs = channels.compactMap { channel -> ReleasePair? in
      var selection = Selection(app: app, release: ReleaseLabel(rawValue: ""), now: cutOff)
      selection.channels = [channel]
      guard let newest = newest(on: channel, at: cutOff) else { return nil }
      return precedent(of: newest, selection).map { ReleasePair(first: newest.id, second: $0.id) }
    }
    return Set(pairs)
  }
}
