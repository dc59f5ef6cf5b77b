import Testing

@testable import Report

@Suite struct PageFrameTests {
  private func page(_ path: String?, root: HTML = "", hasPages: Bool = true, hasScript: Bool = false) -> String {
    var frame = PageFrame(
      title: "T", heading: "<h1>T</h1>", path: path, root: root, meta: "", footer: "", hasPages: hasPages,
      hasExplorer: true)
    if hasScript { frame.script = ("{}", "") }
    return frame.document([])
  }

  /// A page says which of the links leads to itself; a release's page is none of them.
  @Test(arguments: ["index.html", "compare.html", "mechanisms.html", "push.html", "explorer.html"])
  func aPageKnowsItsLink(_ path: String) {
    let page = page(path)
    #expect(page.contains("<a href=\"\(path)\" aria-current=page>"))
    #expect(page.matches(of: /aria-current=page>/).count == 1)
    #expect(!self.page("release/{release}.html", root: "../").contains("aria-current=page>"))
    #expect(self.page("push.html", root: "../").contains("<a href=\"../push.html\" aria-current=page>"))
  }

  /// Past the links, where there are any; the explorer's address holds what is chosen.
  @Test func linksCanBePassedBy() {
    let skip = "<body><a class=skip href=#main>"
    #expect(page("index.html").contains(skip) && page("index.html").contains("<main id=main>"))
    #expect(!page("index.html", hasPages: false).contains("class=skip "))
    #expect(!page("explorer.html", hasScript: true).contains("class=skip "))
  }
}

@Suite struct PictureTests {
  private func picture(_ finding: String?) -> String {
    Picture(id: "a-p", title: "T", finding: finding, frame: .rows, height: 9, drawing: "").html.description
  }

  /// A paragraph that says what it shows is not said again as a part of its name.
  @Test func aPictureHasANameAndADescription() {
    #expect(picture("F").contains("height=9><title>T</title><desc>F</desc></svg>"))
    #expect(picture(nil).contains("height=9 aria-describedby=a-p-d><title>T</title></svg>"))
  }

  /// Where areas are printed in grey their order tells them apart, and lines their dashes.
  @Test func keysDoWithoutColours() {
    let layers: [(String, Ink)] = [("push", .push), ("refresh", .refresh)]
    let area = StackedArea(
      places: [0, 500], layers: layers.map { .init(name: $0, ink: $1, shares: [0, 0.5]) }, ticks: [], horizon: 1000,
      axis: "")
    #expect(
      area.picture(id: "p", title: "").html.description.contains(
        "From the bottom: <bdi class=\"a kp\">push</bdi><bdi class=\"a kr\">refresh</bdi></p>"))
    #expect(Ink.refresh.stops == "0 7px,#0000 0 10px")
    #expect(Ink.location.stops == "0 8px,#0000 0 11px,var(--k) 0 13px,#0000 0 16px")
    #expect(Ink.main.stops == nil && Style.sheet.contains(".kr{--k:var(--kr);--d:0 7px,#0000 0 10px}"))
    #expect(!Style.picture.contains("var("))
  }

  /// From pale to full, and an empty box where nothing was tried.
  @Test func hoursGoFromPaleToFull() {
    let map = Heatmap(shares: [nil, 0, 0.5, 1], titles: []).picture(id: "p", title: "").html.description
    let found = map.matches(of: /height=22 (class="?h(?: none"| fill-opacity=[.0-9]+))/).map { String($0.output.1) }
    #expect(
      found == ["class=\"h none\"", "class=h fill-opacity=.1", "class=h fill-opacity=.6", "class=h fill-opacity=1"])
  }
}
