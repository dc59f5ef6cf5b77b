/// A curve the size of a word, with the one it is compared to in grey.
struct Sparkline {
  var points: [StepChart.Point]
  var until: Double
  var baseline: [StepChart.Point] = []
  var horizon: Double
  var title: String

  var html: HTML {
    """
    <svg class=sp role=img width="96" height="22" viewBox="0 0 1000 1000" preserveAspectRatio="none">\
    <title>\(title)</title><path d="M0 500h1000" class="half"/>\(path(baseline, until: horizon, "l base"))\(path(points, until: until, "l \(Ink.main.name)"))</svg>
    """
  }

  private func path(_ points: [StepChart.Point], until: Double, _ style: String) -> HTML {
    guard !points.isEmpty else { return "" }
    let across = Scale(lowest: 0, highest: horizon)
    let steps = points.map { StepPath.Step(x: across.place($0.seconds) / 10 * 10, y: Int($0.share * 100) * 10) }
    return svgPath(StepPath([.init(x: 0, y: 0)] + steps).line(until: across.place(until)), style)
  }
}
