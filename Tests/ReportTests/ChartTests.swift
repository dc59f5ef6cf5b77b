import Lifecycle
import Testing

@testable import Report

@Suite struct TickTests {
  static let ages: [(seconds: Double, labels: [String])] = [
    (86_400, ["0 h", "3 h", "6 h", "9 h", "12 h", "15 h", "18 h", "21 h", "1 d"]),
    (172_800, ["0 h", "6 h", "12 h", "18 h", "1 d", "30 h", "36 h", "42 h", "2 d"]),
    (604_800, ["0 d", "1 d", "2 d", "3 d", "4 d", "5 d", "6 d", "7 d"]),
    (3600, ["0 min", "15 min", "30 min", "45 min", "60 min"]), (10_800, ["0 h", "1 h", "2 h", "3 h"]),
    (30, ["0 s", "5 s", "10 s", "15 s", "20 s", "25 s", "30 s"]),
    (0, ["0 s"]),
  ]

  @Test(arguments: ages) func agesAreRound(_ row: (seconds: Double, labels: [String])) {
    #expect(Ticks.labelledAges(to: row.seconds).map(\.label) == row.labels)
  }

  @Test(arguments: Array(stride(from: 1.0, to: 4e7, by: 399_991))) func neverTooMany(_ horizon: Double) {
    let ages = Ticks.ages(to: horizon)
    #expect((2...9).contains(ages.count))
    #expect(ages.allSatisfy { $0 <= horizon })
  }

  /// Minutes after a publication, and the hours until which pictures go.
  @Test(
    arguments: [(0, 1.0), (10, 1), (60, 1), (61, 3), (300, 6), (700, 12), (1000, 24), (1440, 24), (1500, 25)]
      as [(Int64, Double)])
  func axesAreAsLongAsAReleaseIsOld(_ minutes: Int64, _ hours: Double) {
    #expect(Double(StepChart.horizon(minutes * 60, atMost: 1_209_600)) == hours * 3600)
    let facts = ReleaseFacts(
      label: "2.0", channel: "production", publishedAt: Timestamp(rawValue: 0),
      cutOff: Timestamp(rawValue: minutes * 60_000))
    #expect(Set(Ticks.ages(to: hours * 3600).dropFirst().map { Int64($0) }).isSubset(of: facts.ages))
    let later = Ticks.ages(to: Double(StepChart.horizon(minutes * 60 + 3600, atMost: 1_209_600)))
    let known = later.dropFirst().map { Int64($0) }.filter { $0 <= minutes * 60 }
    #expect(Set(known).isSubset(of: facts.ages))
  }

  static let shares: [(Double, [String])] = [
    (0.83, ["0%", "25%", "50%", "75%", "100%"]), (0.34, ["0%", "10%", "20%", "30%", "40%", "50%"]),
    (0.004, ["0.0%", "0.2%", "0.4%", "0.6%", "0.8%", "1.0%"]),
  ]

  @Test(arguments: shares) func sharesAreRound(_ highest: Double, _ labels: [String]) {
    #expect(Ticks.shares(to: highest).map(\.label) == labels)
  }
}

@Suite struct StepPathTests {
  private let steps = StepPath([.init(x: 0, y: 0), .init(x: 100, y: 200), .init(x: 400, y: 700)])

  @Test func drawsSteps() {
    #expect(steps.line(until: 1000) == "M0 1000h100v-200h300v-500h600")
    #expect(steps.line(until: 250) == "M0 1000h100v-200h150")
    #expect(StepPath([]).line(until: 10) == "")
  }

  @Test func laterPointsAtOneXWin() {
    #expect(StepPath([.init(x: 5, y: 1), .init(x: 5, y: 3), .init(x: 6, y: 3)]).steps == [.init(x: 5, y: 3)])
  }
}

@Suite struct LabelTests {
  static let wishes: [[Double]] = [
    [], [50], [50, 50, 50], [100, 10, 55], [0, 1, 2, 3, 4, 5], [99, 98, 97], [20, 34, 36, 90], [10, 24, 25, 39, 40],
  ]

  /// None covers another, all stay in the range, and their order is that of the lines.
  @Test(arguments: wishes) func keepApart(_ wishes: [Double]) {
    let places = Labels.apart(wishes, by: 15, in: 0...100)
    let sorted = places.sorted()
    for (one, next) in zip(sorted, sorted.dropFirst()) { #expect(next - one >= 15 - 1e-6) }
    #expect(places.allSatisfy { (-1e-6...100.000001).contains($0) })
    for i in wishes.indices { for j in wishes.indices where wishes[i] < wishes[j] { #expect(places[i] < places[j]) } }
  }

  @Test func leavesAloneWhatHasRoom() {
    #expect(Labels.apart([10, 40, 90], by: 15, in: 0...100) == [10, 40, 90])
  }

  /// The second ends far left of the others.
  @Test func movesApartWhatStandsNear() {
    #expect(Labels.apart([50, 51, 50, 2], by: 15, in: 5...95, at: [1000, 600, 900, 1000]) == [42.5, 51, 57.5, 5])
    #expect(Labels.apart([], by: 15, in: 0...100, at: []) == [])
  }
}

@Suite struct ScaleTests {
  @Test func placesAreClampedThousandths() {
    let scale = Scale(lowest: 0, highest: 50)
    #expect([-5, 0, 12.5, 50, 70].map(scale.place) == [0, 0, 250, 1000, 1000])
    #expect(Scale(lowest: 3, highest: 3).place(3) == 0)
    #expect(Scale(lowest: 1, highest: 10_000, kind: .logarithmic).place(100) == 500)
    #expect(percent(458) == "45.8%" && percent(1000) == "100%")
  }
}

@Suite struct StepChartTests {
  /// However many steps a line has, its last one is drawn: at the right end, and as high as the label beside it says.
  @Test(arguments: [3, 60, 900]) func theLastStepIsDrawn(_ steps: Int) {
    let points = (1...steps).map {
      StepChart.Point(seconds: 80_000 * Double($0) / Double(steps), share: 0.6 * Double($0) / Double(steps))
    }
    let rest = StepChart.Point(seconds: 86_399, share: 1)
    let line = StepChart.Line(name: "all", ink: .main, points: points + [rest], hasBand: false, until: 86_400)
    let drawing = StepChart(lines: [line], ticks: [], horizon: 86_400).picture(id: "p", title: "").html.description
    let moves = drawing.firstMatch(of: /<path d="M0 1000l([^"]*)" class="l km"/)?.1.matches(of: /-?\d+/).map {
      Int($0.0) ?? 0
    }
    let ends = (moves ?? []).enumerated().reduce(into: (x: 0, y: 0)) { end, move in
      if move.offset % 2 == 0 { end.x += move.element } else { end.y -= move.element }
    }
    #expect(ends == (1000, 1000))
  }

  static let markers: [(hours: [Double], words: [String])] = [
    ([0, 6], ["10%, 25%"]), ([0, 48, 54, 167], ["10%", "25%, 50%", "100%"]),
    ([0, 2, 4, 160], ["10%, 25%, 50%", "100%"]), ([0, 84, 150, 167], ["10%", "25%", "50%, 100%"]),
  ]

  /// No step of a rollout goes unnamed, however near it is to another or to the end.
  @Test(arguments: markers) func everyMarkerIsNamed(_ row: (hours: [Double], words: [String])) {
    let markers = zip(row.hours, ["10%", "25%", "50%", "100%"]).map {
      StepChart.Marker(seconds: $0 * 3600, label: $1)
    }
    let chart = StepChart(lines: [], markers: markers, ticks: [], horizon: 7 * 86_400)
    let drawing = chart.picture(id: "p", title: "", finding: "").html.description
    let found = drawing.matches(of: /class="?tm[^>]*>([^<]*)</).map { String($0.1) }
    #expect(found == row.words)
  }

  /// The release before was followed for weeks, this one for hours: what comes later is not drawn at the right end.
  @Test(arguments: [StepChart.Shape.steps, .sampled, .forecast]) func whatLiesBeyondIsNotDrawn(_ shape: StepChart.Shape)
  {
    func drawing(_ points: [StepChart.Point]) -> String {
      let line = StepChart.Line(name: "before", ink: .baseline, points: points, until: 90_000, shape: shape)
      return StepChart(lines: [line], ticks: [], horizon: 86_400).picture(id: "p", title: "", finding: "").html
        .description
    }
    let within = StepChart.Point(seconds: 36_000, share: 0.4, lo: 0.3, hi: 0.45)
    let beyond = StepChart.Point(seconds: 90_000, share: 0.8, lo: 0.7, hi: 0.9)
    #expect(drawing([within, beyond]) == drawing([within]))
    #expect(drawing([within]) != drawing([]))
  }

  /// Where it is narrow every other number goes, and the name above them with the last.
  @Test(
    arguments: [
      ([nil, nil, nil], []), ([nil, "3", nil], ["rk m"]), (["9", nil, "2"], ["rk"]), (["9", "3", "2"], ["rk"]),
    ] as [([String?], [String])])
  func aNameStandsOverNumbers(_ numbers: [String?], _ styles: [String]) {
    let ticks = numbers.indices.map { Tick(value: Double($0), label: "") }
    let chart = StepChart(lines: [], ticks: ticks, horizon: 2, risk: [.init(name: "Waiting", numbers: numbers)])
    let drawing = chart.picture(id: "p", title: "").html.description
    #expect(drawing.matches(of: /class="?(rk(?: m)?)"?>Waiting/).map { String($0.1) } == styles)
  }

  /// One path for all, four pixels up and down from the line; none beyond the right end.
  @Test func whoLeavesIsMarkedOnTheLine() {
    let line = StepChart.Line(
      name: "all", ink: .main, points: [.init(seconds: 50, share: 1)], until: 100, censored: [25, 75, 200])
    let drawing = StepChart(lines: [line], ticks: [], horizon: 100).picture(id: "p", title: "").html.description
    #expect(drawing.contains("<path d=\"M250 986v28M750 -14v28\" class=\"c km\" />"))
  }

  /// A page that would be too large has shorter paths, and only the newest values under the pointer.
  @Test func lessDetailIsSmaller() {
    let points = (1...300).map {
      StepChart.Point(seconds: Double($0) * 10, share: Double($0 * $0) / 100_000 + Double($0 % 3) / 200)
    }
    let line = StepChart.Line(name: "all", ink: .main, points: points, hasBand: false, until: 3000)
    let readings = (1...5).map { StepChart.Reading(seconds: Double($0) * 600, words: "\($0)") }
    let chart = StepChart(lines: [line], ticks: [], horizon: 3000, readings: readings)
    let sizes = PageDetail.allCases.map {
      chart.drawn(with: $0).picture(id: "p", title: "").html.description.utf8.count
    }
    #expect(sizes[0] > sizes[1] && sizes[1] > sizes[2])
    #expect(PageDetail.allCases.map { $0.kept(readings).map(\.words).joined() } == ["12345", "12345", "345"])
  }

  private func areas(_ hours: [Double]) -> [[Int]] {
    let readings = hours.map { StepChart.Reading(seconds: $0 * 3600, words: "<\($0)>") }
    let chart = StepChart(lines: [], ticks: [], horizon: 100 * 3600, readings: readings)
    return chart.readingAreas.description
      .matches(of: /M(\d+) 0h(\d+)v1h-(\d+)z"><title>&lt;([0-9.]+)&gt;</)
      .map { [$0.1, $0.2, $0.3].map { Int($0) ?? -1 } + [Int(Double($0.4) ?? -1)] }
  }

  /// They meet halfway and leave nothing out; an age beyond the plot has none, and its name is text.
  @Test func readingsLieSideBySide() {
    #expect(areas([]) == [])
    #expect(areas([50]) == [[0, 1000, 1000, 50]])
    #expect(
      areas([0, 1, 6, 24, 72, 168]) == [
        [0, 35, 35, 1], [35, 115, 115, 6], [150, 330, 330, 24], [480, 520, 520, 72],
      ])
  }
}

@Suite struct StackedAreaTests {
  /// What came at the last place has a width of its own at the right end, and each layer is there.
  @Test func theLastHeightsAreSeen() {
    let layers: [(Ink, [Double])] = [(.push, [0, 0.2, 0.6]), (.refresh, [0, 0, 0.4]), (.waiting, [1, 0.8, 0])]
    let area = StackedArea(
      places: [0, 500, 1000], layers: layers.map { .init(name: "", ink: $0, shares: $1) }, ticks: [], horizon: 1000,
      axis: "")
    let drawing = area.picture(id: "p", title: "").html.description
    let paths = drawing.matches(of: /<path d="([^"]*)" class="a (k.)"/).map { "\($0.2) \($0.1)" }
    #expect(
      paths == [
        "kw M0 0l1000 0V1000H0z",
        "kr M0 1000l493 0 0-200 492 0 0-800 15 0V1000H0z",
        "kp M0 1000l493 0 0-200 492 0 0-400 15 0V1000H0z",
      ])
  }
}

@Suite struct TextWidthTests {
  /// A name stays in the room between two pictures, and keeps both its ends.
  @Test func longNamesAreShortened() {
    #expect(TextWidth.fitted("background refresh", 150) == "background refresh")
    #expect(TextWidth.fitted(String(repeating: "W", count: 18), 150) == "WWWWWWW…WWW")
    #expect(TextWidth.of(TextWidth.fitted(String(repeating: "\u{1F680}", count: 18), 150)) <= 150)
  }

  /// Where it is narrow the interval goes, and only where it would lie on the name.
  @Test func figuresMakeRoomForNames() {
    func drawing(_ name: String) -> String {
      let row = Rows.Row(name: name, words: "96.8% (83.8–99.4)", value: 30)
      return Rows(mark: .bar, rows: [row], ticks: [], scale: Scale(lowest: 0, highest: 40)).picture(id: "p", title: "")
        .html
        .description
    }
    #expect(drawing("verified · 30").contains(">96.8% (83.8–99.4)</text>"))
    #expect(
      drawing("downloadCompleted · 30 · largest gap").contains(">96.8%<tspan class=m> (83.8–99.4)</tspan></text>"))
  }
}
