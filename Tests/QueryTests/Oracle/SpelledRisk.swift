import Lifecycle
import Statistics
@testable import Store

@testable import Query

/// What is known of the time at risk, in words: by cell, with where releases came to and how far the data go.
struct SpelledRisk {
  /// Of one release, as the walk over objects finds it.
  static func walked(
    _ snapshot: borrowing Snapshot, _ selection: Selection, _ timeline: Timeline, _ target: ReleaseRecord,
    _ splits: Splits
  ) throws -> [String] {
    var (walk, cells) = (RiskWalk(snapshot.vocabulary, selection, timeline, [target]), [Group: Cell]())
    try walk.run(snapshot) { cells[$0.group(splits), default: Cell()].add($0) }
    let rules = walk.rules.compactMapValues { $0[0] }
    return words(
      cells.mapValues(\.words), rules.mapValues(\.start), rules.compactMapValues(\.supersededAt), walk.dataThrough,
      walk.cutOff)
  }

  /// As a question finds it.
  static func counted(_ tables: RiskTables) -> [String] {
    let cells = tables.cells.mapValues { cell in
      let cell = RiskTable.merged([cell])
      return Self.words(cell.devices, cell.excluded, cell.remarks, cell.table)
    }
    return words(cells, tables.starts, tables.supersededAt, tables.dataThrough, tables.cutOff)
  }

  private static func words(
    _ cells: [Group: String], _ starts: [Group: Timeline.Start], _ supersededAt: [Group: Timestamp],
    _ dataThrough: Timestamp?, _ cutOff: CutOff
  ) -> [String] {
    cells.sorted { $0.key < $1.key }.map { "\($0) \($1)" } + starts.sorted { $0.key < $1.key }.map { "\($0)" }
      + supersededAt.sorted { $0.key < $1.key }.map { "\($0)" }
      + ["\(dataThrough.map { "\($0.rawValue)" } ?? "never") \(cutOff)"]
  }

  fileprivate static func words(
    _ devices: Int, _ excluded: [Exclusion: Int], _ remarks: [Remark: Int], _ table: LifeTable
  ) -> String {
    let causes = (1...6).compactMap(Cause.init(rawValue:))
    let rows = table.rows.map { row in
      [row.tick, row.entered, row.atRisk] + causes.map(row.events) + Censoring.allCases.map(row.censored)
    }
    return "\(devices) \(excluded.map { "\($0.key) \($0.value)" }.sorted()) "
      + "\(remarks.map { "\($0.key) \($0.value)" }.sorted()) \(rows)"
  }

  private struct Cell {
    var devices = 0
    var excluded: [Exclusion: Int] = [:]
    var remarks: [Remark: Int] = [:]
    var intervals: [(entry: Tick, exit: Tick, ending: Ending)] = []

    mutating func add(_ judgement: SpellJudgement) {
      for remark in judgement.found.remarks { remarks[remark, default: 0] += 1 }
      if judgement.view.history.hasFuture { remarks[.future, default: 0] += 1 }
      if let exclusion = judgement.found.exclusion {
        excluded[exclusion, default: 0] += 1
        return
      }
      devices += 1
      intervals += judgement.found.intervals.map { ($0.entry, $0.exit, $0.ending) }
    }

    var words: String { SpelledRisk.words(devices, excluded, remarks, LifeTable(intervals: intervals)) }
  }
}

extension RiskCounting {
  /// From the devices themselves, whatever is summarised.
  func tables(_ snapshot: borrowing Snapshot) throws -> [RiskTables] {
    sum(try snapshot.count(need) { start }).tables
  }
}
