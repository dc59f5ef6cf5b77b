/// Everything that is sorted, at one moment, and which of it stays apart.
struct SortedState: Equatable {
  let generation: Int64
  let watermark: Int64
  let stretches: [SortedStretch]
  /// The last event of what is merged, or is being merged: these stretches stay as they are.
  let merged: Int64
  /// What summaries know, as far as it can be told: no stretch goes beyond an event of these.
  let summarised: Set<Int64>
  /// Where stretches that end here stay apart, too, for summaries that are being made.
  let kept: [ClosedRange<Int64>]
}

extension SortedState {
  /// `connection` is within one transaction.
  init(_ connection: borrowing Connection, keeping kept: [ClosedRange<Int64>]) throws(StoreError) {
    generation = try Generation.read(connection)
    watermark = try Watermark.read(connection)
    stretches = try SortedStretch.all(connection, after: watermark)
    merged = try Merging.read(connection, after: watermark)?.through ?? watermark
    let ends = (try SummarisedEnd.read(connection, .whole), try SummarisedEnd.read(connection, .open))
    summarised = Set([ends.0, ends.1].compactMap(\.self))
    self.kept = kept
  }

  /// The number of the last event that is folded or sorted.
  var end: Int64 { stretches.last?.last ?? watermark }

  /// How many of the last stretches a new one takes in.
  func taken(by events: Int) -> Int {
    let free = stretches.reversed().prefix { !staysApart($0) }.count
    return Array(stretches.suffix(free)).taken(by: events)
  }

  /// Neighbours that have added up between two ends, the first such: the last of them would have taken in the others, had it come
  /// when nothing kept it apart. nil where there are none.
  var joinable: Range<Int>? {
    var start = 0
    for (place, stretch) in stretches.enumerated() {
      let taken = Array(stretches[start..<place]).taken(by: stretch.events)
      if taken > 0 { return place - taken..<place + 1 }
      if staysApart(stretch) { start = place + 1 }
    }
    return nil
  }

  /// Whether no stretch goes beyond its end.
  private func staysApart(_ stretch: SortedStretch) -> Bool {
    stretch.last <= merged || summarised.contains(stretch.last) || kept.contains { $0.contains(stretch.last) }
  }
}
