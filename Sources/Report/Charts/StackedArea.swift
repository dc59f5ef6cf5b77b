/// Shares that add up to the whole, over time.
struct StackedArea {
  struct Layer {
    var name: String
    var ink: Ink
    /// Heights of this layer alone, at the chart's places.
    var shares: [Double]
  }
  /// Where the heights hold from on.
  var places: [Double]
  /// From the bottom up.
  var layers: [Layer]
  var ticks: [Tick]
  var horizon: Double
  var axis: String
  var plotHeight = 260
  /// Straight from sample to sample, rather than in steps.
  var isSmooth = false
  private static let top = 14

  func picture(id: String, title: String, finding: String? = nil) -> Picture {
    Picture(
      id: id, title: title, finding: finding, frame: .curves, height: Self.top + plotHeight + 40,
      drawing: svgGrid(top: Self.top, height: plotHeight, areas + rules) + axes + labels,
      key: layers.map { ($0.name, $0.ink) })
  }

  private var across: Scale { Scale(lowest: 0, highest: horizon) }
  private var bottom: Int { Self.top + plotHeight }

  /// The upper edge of each layer, and the floor before them.
  private var edges: [StepPath] {
    var sums = [Double](repeating: 0, count: places.count)
    let floor = StepPath([.init(x: 0, y: 0)])
    return [floor]
      + layers.map { layer in
        for index in sums.indices where index < layer.shares.count { sums[index] += layer.shares[index] }
        let steps = zip(places, sums).map { StepPath.Step(x: across.place($0), y: Int((min($1, 1) * 1000).rounded())) }
        return StepPath([.init(x: 0, y: 0)] + steps).thinned(to: 26)
      }
  }

  private var areas: HTML {
    if isSmooth { return slopes }
    return zip(zip(edges.dropFirst(), edges), layers).map { pair, layer in
      svgPath(StepPath.area(pair.0, pair.1, until: 1000), "a \(layer.ink.name)")
    }.joined()
  }

  private var slopes: HTML {
    var floor = [Double](repeating: 0, count: places.count)
    func edge(_ heights: [Double]) -> [(Int, Int)] {
      zip(places, heights).map { (across.place($0), 1000 - Int((min($1, 1) * 1000).rounded())) }
    }
    return layers.map { layer in
      let top = zip(floor, layer.shares).map { $0 + $1 }
      defer { floor = top }
      return svgPath(svgSlopes(edge(top) + edge(floor).reversed()) + "z", "a \(layer.ink.name)")
    }.joined()
  }

  private var rules: HTML {
    let across = Ticks.shares(to: 1).map { "M0 \(1000 - Int(($0.value * 1000).rounded()))h1000" }.joined()
    let below = svgRules(heights: [], ticks: ticks.map { self.across.place($0.value) }, plotHeight: plotHeight)
    return svgPath(across, "g o") + below
  }

  private var axes: HTML {
    let heights = Ticks.shares(to: 1).map { ($0.label, bottom - Int($0.value * Double(plotHeight)) + 4) }
    return svgHeights(heights) + svgTickWords(ticks, across, bottom) + svgText(axis, 1000, bottom + 36, "tn")
  }

  private var labels: HTML {
    var floor = 0.0
    var wishes: [(layer: Layer, y: Double)] = []
    for layer in layers {
      let last = layer.shares.last ?? 0
      if last > 0 { wishes.append((layer, Double(bottom) - (floor + last / 2) * Double(plotHeight) + 4)) }
      floor += last
    }
    let heights = Labels.apart(wishes.map(\.y), by: 15, in: Double(Self.top) + 6...Double(bottom))
    return zip(wishes, heights).map { wish, height in
      svgLabel(wish.layer.name, wish.layer.ink, 1000, Int(height.rounded()))
    }.joined()
  }
}
