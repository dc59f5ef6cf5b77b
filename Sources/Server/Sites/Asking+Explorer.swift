internal import Lifecycle
internal import Query
internal import Report
internal import Store

/// Adoption of the newest releases, split in every way that the explorer offers.
extension Asking {
  func explored(_ snapshot: borrowing Snapshot, _ releases: [ReleaseAnswers]) throws -> Explored {
    let newest = releases.prefix(Explored.mostReleases).map { ReleaseLabel(rawValue: $0.standing.facts.label) }
    let ages = Explored.ages(upTo: releases.compactMap(\.standing.facts.followed).max() ?? 0)
    var splits: [Explored.Split] = []
    for label in newest { splits += try self.splits(snapshot, label, ages) }
    return Explored(splits: splits, older: releases.count - newest.count, ages: ages)
  }

  /// All of one release in one scan.
  private func splits(_ snapshot: borrowing Snapshot, _ label: ReleaseLabel, _ ages: [Int64]) throws -> [Explored.Split]
  {
    var chosen = try chosen(snapshot, label)
    let planned = try Explored.groupings.map { by in
      chosen.selection.by = by
      return try self.planned(
        snapshot, chosen, "explored", ages: ages, points: Explored.points, baseline: .none)
    }
    let answers = try snapshot.values(planned, after: Ledger())
    return zip(Explored.groupings, answers).map { by, asked in
      Explored.Split(release: label.rawValue, by: by, asked: asked)
    }
  }
}
