import Foundation
import Testing

@testable import Console

struct PlotTests {
  /// A curve like those of an adoption: fast at first, levelling off.
  private static func curve(_ level: Double, _ hours: Double, end: Double) -> [Plot.Point] {
    stride(from: 0, to: end, by: 3600).map { Plot.Point(x: $0, y: level * (1 - exp(-$0 / 3600 / hours))) }
  }
  private static let week = 604_800.0
  private static let plot = Plot(
    [
      Plot.Series("2025.3.1", points: curve(0.96, 30, end: 6 * 86_400), end: 6 * 86_400),
      Plot.Series("2025.3.0 at the same age", .dotted, points: curve(0.92, 42, end: week), end: week),
    ], horizon: week)

  @Test func draws() throws { try expectPicture(Self.plot.text(width: 72, glyphs: .unicode), "plot.txt") }
  @Test func drawsInASCII() throws { try expectPicture(Self.plot.text(width: 72, glyphs: .ascii), "plot-ascii.txt") }

  @Test func drawsABand() throws {
    let points = Self.curve(0.018, 20, end: 48 * 3600)
    let band = (
      low: points.map { Plot.Point(x: $0.x, y: $0.y * 0.7) }, high: points.map { Plot.Point(x: $0.x, y: $0.y * 1.1) }
    )
    let plot = Plot([Plot.Series("failures", points: points, end: 48 * 3600, band: band)], horizon: 48 * 3600, rows: 9)
    try expectPicture(plot.text(width: 60, glyphs: .unicode), "plot-band.txt")
  }

  @Test func dimsAllButTheFirst() {
    let text = Self.plot.text(width: 40, glyphs: .unicode, colour: true)
    #expect(text.contains("\u{1B}[2m"))
    #expect(!Self.plot.text(width: 40, glyphs: .unicode).contains("\u{1B}"))
  }

  /// Law: no line is wider than asked, at any width, and the plot has its rows, its axis and its labels.
  @Test(arguments: 20...130) func keepsItsWidth(_ width: Int) {
    for glyphs in [Glyphs.unicode, .ascii] {
      let lines = Self.plot.text(width: width, glyphs: glyphs).split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.allSatisfy { displayWidth(String($0)) <= width })
      #expect(lines.count == 1 + 11 + 2 + 1)
    }
  }

  @Test(arguments: [
    (604_800.0, 7, "0h 24h 48h 72h 96h 120h 144h 168h"), (86_400.0, 8, "0h 3h 6h 9h 12h 15h 18h 21h 24h"),
    (2_592_000.0, 9, "0d 7d 14d 21d 28d"), (3600.0, 6, "0m 10m 20m 30m 40m 50m 60m"), (10.0, 5, "0s 2s 4s 6s 8s 10s"),
    (5400.0, 4, "0m 30m 60m 90m"),
  ]) func ticksWherePeopleCount(_ horizon: Double, _ count: Int, _ labels: String) {
    #expect(timeTicks(horizon: horizon, atMost: count).map(\.label).joined(separator: " ") == labels)
  }

  @Test func steps() {
    let points = [Plot.Point(x: 2, y: 0.5), Plot.Point(x: 4, y: 0.75)]
    #expect([0, 1.9, 2, 3.9, 4, 9].map { height(of: points, at: $0) } == [0, 0, 0.5, 0.5, 0.75, 0.75])
  }

  @Test func survivesNothing() {
    #expect(!Plot([], horizon: 0).text(width: 20, glyphs: .unicode).isEmpty)
    #expect(Plot([Plot.Series("a", points: [], end: 10)], horizon: 10).text(width: 20, glyphs: .ascii).contains("*"))
  }

  @Test func sparklines() {
    #expect(sparkline([0, 0.125, 0.5, 0.999, 1, 2, -1, .nan], .unicode) == "▁▂▅███▁ ")
    #expect(sparkline([0, 0.5, 1], .ascii) == ".+@")
  }
}
