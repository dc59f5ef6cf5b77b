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
  /// By so many pixels an edge may be off.
  var pixels = 1.0
  private static let top = 14

  func picture(id: String, title: String, finding: String? = nil) -> Picture {
    Picture(
      id: id, title: title, finding: finding, frame: .curves, height: Self.top + plotHeight + 40,
      drawing: svgGrid(top: Self.top, height: plotHeight, areas + rules) + axes + labels,
      key: layers.map { ($0.name, $0.ink.name) }, isStacked: true)
  }

  /// What holds from the last place on needs some width to be seen.
  private var across: Scale {
    Scale(lowest: 0, highest: isSmooth ? horizon : max(horizon, (places.last ?? 0) * 1.015))
  }
  private var bottom: Int { Self.top + plotHeight }

  /// The upper edge of each layer.
  private var edges: Outline {
    var sums = [Double](repeating: 0, count: places.count)
    let heights = layers.map { layer in
      for index in sums.indices where index < layer.shares.count { sums[index] += layer.shares[index] }
      return sums.map { Int((min($0, 1) * 1000).rounded()) }
    }
    let xs = places.map { across.place($0) }
    guard isSmooth else {
      let paths = heights.map { heights in
        StepPath([.init(x: 0, y: 0)] + zip(xs, heights).map { StepPath.Step(x: $0, y: $1) })
      }
      return Outline(paths, until: 1000)
    }
    return Outline(xs.enumerated().map { index, x in .init(x: x, heights: heights.map { $0[index] }) })
  }

  /// Each from its upper edge down to the floor, the highest first, so that every edge is written once: the next one covers the rest.
  private var areas: HTML {
    let edges = edges.thinned(within: chartError(plotHeight, pixels))
    let paths = layers.enumerated().reversed().map { index, layer -> HTML in
      let places = edges.only(index).places
      guard let first = places.first else { return "" }
      return svgPath(svgSlopes(places) + "V1000H\(first.0)z", "a \(layer.ink.name)")
    }
    return "<g class=as>\(paths)</g>"
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
