internal import Console
internal import Query
internal import Statistics

extension Curve {
  /// The curve's points as charts take them.
  var chartPoints: [StepChart.Point] {
    points.filter { $0.seconds > 0 }
      .map { StepChart.Point(seconds: Double($0.seconds), share: $0.value, lo: $0.lo, hi: $0.hi) }
  }
}

extension StepChart.Line {
  init(_ name: String, _ ink: Ink, _ curve: Curve, until: Double) {
    self.init(
      name: name, ink: ink, points: curve.chartPoints, fadesFrom: curve.fadesFromSeconds.map(Double.init), until: until)
  }
}

extension StepChart.Line {
  /// The band reaches from the earliest to the latest that checks leave open.
  init(_ name: String, _ ink: Ink, _ polled: Polled, until: Double) {
    self.init(
      name: name, ink: ink,
      points: polled.curve.filter { $0.seconds > 0 }.compactMap { point in
        point.share.value.map {
          StepChart.Point(seconds: Double(point.seconds), share: $0, lo: point.latest, hi: point.earliest)
        }
      }, until: until)
  }
}

/// What a panel says of its band where times lie between checks.
func polledWords(_ polled: Polled) -> HTML {
  let gap = polled.medianGapSeconds.map { ", half of them at most \(duration(seconds: Double($0))) apart" } ?? ""
  return """
    Nobody saw when \(grouped(polled.updates)) of \(grouped(polled.of)) devices updated: only the checks before and after are \
    known\(gap). The line is estimated between them, and the band reaches from the earliest to the latest that they leave open; \
    the 95% intervals are in the table.
    """
}

/// What a panel of mechanisms says where times lie between checks.
func polledShareWords(_ polled: Polled) -> HTML {
  """
  Nobody saw when \(grouped(polled.updates)) of \(grouped(polled.of)) devices updated: shares are estimated between the checks \
  before and after.
  """
}

/// What the band of a curve holds for.
func bandWords(_ query: QueryEcho, _ band: Band?) -> String {
  guard query.isSimultaneous else { return "The band is the 95% interval at each age." }
  guard let band else { return "Too few devices for a band that holds the whole line." }
  let (from, until) = (duration(seconds: Double(band.fromSeconds)), duration(seconds: Double(band.untilSeconds)))
  return "The band holds the whole line from \(from) to \(until), with 95% for all ages together."
}

/// What the limits in a table of a curve are.
func limitWords(_ query: QueryEcho) -> String {
  query.isSimultaneous ? "95% limits that hold together" : "95% intervals"
}

extension QueryEcho {
  fileprivate var isSimultaneous: Bool {
    guard case .text(Bands.simultaneous.rawValue) = fields["bands"] else { return false }
    return true
  }
}

extension TimeToUpdate {
  var points: [StepChart.Point] { curve.compactMap { StepChart.Point($0.seconds, $0.share) } }

  func quantile(_ p: Double) -> Estimate? { quantiles.first { $0.p == p }?.seconds }
  var median: Estimate? { quantile(0.5) }

  func line(_ name: String, _ ink: Ink, until: Double) -> StepChart.Line {
    StepChart.Line(name: name, ink: ink, points: points, fadesFrom: fadesFromSeconds.map(Double.init), until: until)
  }
}

extension TimeToUpdate.MechanismShare {
  var points: [StepChart.Point] { curve.compactMap { StepChart.Point($0.seconds, $0.share) } }
}

extension StepChart.Point {
  init?(_ seconds: Int64, _ estimate: Estimate) {
    guard let value = estimate.value else { return nil }
    self.init(seconds: Double(seconds), share: value, lo: estimate.lo, hi: estimate.hi)
  }
}

/// A curve's points, few enough to read in a table: evenly spread, the last among them.
func spread<T>(_ points: [T], _ count: Int) -> [T] {
  guard points.count > count, count > 1 else { return points }
  return (1...count).map { points[$0 * (points.count - 1) / count] }
}
