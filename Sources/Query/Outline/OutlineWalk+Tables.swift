import Lifecycle
import Store

extension OutlineWalk {
  /// The tables of several releases, in the order of the targets.
  static func tables(of question: OutlineQuestion, _ snapshot: borrowing Snapshot) throws -> [RiskTables] {
    let walks = try snapshot.eachOutline(
      app: question.selection.app, releases: Set(question.targets.map(\.id)), question.columns,
      start: { OutlineWalk(question) }, { walk, page, read in try walk.add(page, read) })
    return tables(of: question, walks)
  }

  static func tables(of question: OutlineQuestion, _ walks: [OutlineWalk]) -> [RiskTables] {
    let sums = sums(walks)
    return question.targets.indices.map { target in
      let cells = sums.filter { $0.key.target == target }.map { ($0.key.group, $0.cell.finished()) }
      return RiskTables(Dictionary(uniqueKeysWithValues: cells), walks, question, target: target)
    }
  }

  struct Key: Hashable {
    var target: Int
    var group: Group
  }

  /// What all walks collected, cell by cell, without those of which nothing was said.
  static func sums(_ walks: [OutlineWalk]) -> [(key: Key, cell: OutlineCell)] {
    var sums: [Key: OutlineCell] = [:]
    for walk in walks {
      for (key, cell) in walk.cells where !cell.isEmpty { sums[key, default: OutlineCell()].add(cell) }
    }
    return sums.map { (key: $0.key, cell: $0.value) }
  }

  private var cells: [(Key, OutlineCell)] {
    let versions = question.splitsVersions ? question.profiles.versions : [nil]
    return places.filter(\.isIncluded).flatMap { place in
      place.cells.enumerated().map { number, cell in
        var group = place.group
        group.appVersion = versions[number % versions.count]
        return (Key(target: number / versions.count, group: group), cell)
      }
    }
  }
}
