internal import Console
internal import Query
internal import Statistics

/// What is known exactly at some ages, for whoever rests the pointer on the plot: areas that cannot be seen until then.
extension StepChart {
  struct Reading: Equatable {
    var seconds: Double
    var words: String
  }

  /// Side by side over the whole plot, each around its age; on top of everything else.
  var readingAreas: HTML {
    let shown = readings.filter { $0.seconds > lowest && $0.seconds <= horizon }
    guard !shown.isEmpty else { return "" }
    let places = shown.map { across.place($0.seconds) }
    let edges = [0] + zip(places, places.dropFirst()).map { ($0 + $1) / 2 } + [1000]
    let areas = shown.indices.map { index -> HTML in
      let (left, width) = (edges[index], edges[index + 1] - edges[index])
      return "<path d=\"M\(left) 0h\(width)v1h\(-width)z\"><title>\(shown[index].words)</title></path>"
    }
    return """
      <svg class=v y=\(Self.top) width=100% height=\(plotHeight) viewBox="0 0 1000 1" preserveAspectRatio=none>\(areas)</svg>
      """
  }

  /// At each age up to which the release was followed: a curve has too few points to read them from it.
  static func readings(_ row: Counted<Adoption>?, _ name: String, until followed: Int64) -> [Reading] {
    guard let row else { return [] }
    return row.ages.filter { $0.seconds <= followed && $0.share.value != nil }.map { age in
      let before = row.baseline.flatMap { baseline in
        age.baselineTold.map { "; \(Name(baseline.release).shortened(to: 18)) \($0.reading)" }
      }
      return Reading(
        seconds: Double(age.seconds),
        words: """
          \(duration(seconds: Double(age.seconds))): \(name) estimated \(age.told.reading), \(grouped(age.events)) updated, \
          \(grouped(age.atRisk)) waiting\(before ?? "")
          """)
    }
  }
}

extension Estimate {
  /// With its interval, or why there is none.
  var reading: String {
    guard value != nil, lo == nil, hi == nil else { return text(.share) }
    return "\(text(.share)) (no interval: \(reason?.words ?? "unknown"))"
  }
}
