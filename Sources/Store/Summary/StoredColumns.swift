/// The rows of a summary, by the columns that they are versions of.
struct StoredColumns {
  struct Column {
    var place: SummaryRows.Place
    var inForce: SummaryRows.Row?
    /// Versions that were in force.
    var older: [SummaryRows.Row] = []
    /// Of summaries that were never put in force: these would be with the next one.
    var unfinished: [SummaryRows.Row] = []
  }

  private var columns: [SummaryRows.Place: Column] = [:]

  /// - Parameters:
  ///   - rows: those of one column one after another, the oldest first.
  ///   - version: the one in force; nil where none is.
  init(_ rows: [SummaryRows.Found], inForce version: Int64?) {
    for found in rows {
      columns[found.place, default: Column(place: found.place)].add(
        found.row, isUnfinished: found.version > version ?? 0)
    }
  }

  /// The column at a place, which is then none of the rest.
  mutating func take(_ place: SummaryRows.Place) -> Column {
    columns.removeValue(forKey: place) ?? Column(place: place)
  }

  /// Those that were not taken, in an order that repeats.
  var rest: [Column] { columns.values.sorted { $0.firstRow < $1.firstRow } }
}

extension StoredColumns.Column {
  fileprivate mutating func add(_ row: SummaryRows.Row, isUnfinished: Bool) {
    if isUnfinished { return unfinished.append(row) }
    if let inForce { older.append(inForce) }
    inForce = row
  }

  fileprivate var firstRow: Int64 { removal.removed.map(\.id).min() ?? 0 }

  var staying: SummaryWriter.Change { SummaryWriter.Change(place: place, removed: unfinished, packed: nil) }

  /// Takes the room of what is in force no more.
  func becoming(_ packed: [UInt8]) -> SummaryWriter.Change {
    SummaryWriter.Change(place: place, removed: older + unfinished, packed: packed)
  }

  /// Of a column that is none: nothing of it is left.
  var removal: SummaryWriter.Change {
    SummaryWriter.Change(place: place, removed: older + unfinished + [inForce].compactMap(\.self), packed: nil)
  }
}
