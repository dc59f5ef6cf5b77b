/// How much a page shows: one that would be too large with all of it is made again with less.
///
/// A release that does harm has the most to tell, on many devices; what goes first is what stands in `data.json` as well.
enum PageDetail: Int, CaseIterable {
  case full, coarse, least

  /// So many bytes a page has at most, where less detail is of any help.
  static let largest = 60_000

  /// By so many pixels a line of a chart may be off.
  var pixels: Double {
    switch self {
    case .full: 1
    case .coarse: 2
    case .least: 4
    }
  }

  /// Whether it lists the command lines that print its numbers, each of which is in `data.json`.
  var listsCommands: Bool { self == .full }

  /// Values under the pointer, all of which but provisional ones are in the table below: at least the newest.
  func kept(_ readings: [StepChart.Reading]) -> [StepChart.Reading] {
    self == .least ? Array(readings.suffix(3)) : readings
  }
}

extension StepChart {
  func drawn(with detail: PageDetail) -> StepChart {
    var chart = self
    (chart.pixels, chart.readings) = (detail.pixels, detail.kept(readings))
    return chart
  }
}
