/// The rows of a summary, by the columns that they are versions of.
struct StoredColumns {
  struct Column {
    var place: SummaryRows.Place
    var inForce: SummaryRows.Row?
    /// Versions that were in force.
    var older: [SummaryRows.Row] = []
    /// Of summaries that were never in force. A higher version in force would bring them in force, too, so they go first.
    var unfinished: [SummaryRows.Row] = []
  }

  private var columns: [SummaryRows.Place: Column] = [:]
  private var order: [SummaryRows.Place] = []

  /// - Parameters:
  ///   - rows: those of one column one after another, the oldest first.
  ///   - version: the one in force; nil where none is.
  init(_ rows: [(place: SummaryRows.Place, row: SummaryRows.Row)], inForce version: Int64?) {
    for (place, row) in rows {
      if columns[place] == nil { order.append(place) }
      columns[place, default: Column(place: place)].add(row, isUnfinished: row.version > version ?? 0)
    }
  }

  /// The column at a place, which is then none of the rest.
  mutating func take(_ place: SummaryRows.Place) -> Column {
    columns.removeValue(forKey: place) ?? Column(place: place)
  }

  /// Those that were not taken.
  var rest: [Column] { order.compactMap { columns[$0] } }
}

extension StoredColumns.Column {
  fileprivate mutating func add(_ row: SummaryRows.Row, isUnfinished: Bool) {
    if isUnfinished { return unfinished.append(row) }
    if let inForce { older.append(inForce) }
    inForce = row
  }

  var staying: SummaryWriter.Change {
    SummaryWriter.Change(place: place, removed: older + unfinished, packed: nil)
  }

  /// Takes the room of what is in force no more.
  func becoming(_ packed: [UInt8]) -> SummaryWriter.Change {
    SummaryWriter.Change(place: place, removed: older + unfinished, packed: packed)
  }

  /// Of a column that is none: nothing of it is left.
  var removal: SummaryWriter.Change {
    SummaryWriter.Change(place: place, removed: older + unfinished + [inForce].compactMap(\.self), packed: nil)
  }
}
