internal import Console
internal import Lifecycle
internal import Query

/// One page on which readers choose among answers: what it shows is what the program found, not what its script computes.
struct ExplorerPage {
  private let answers: SiteAnswers
  private let explored: Explored
  /// In bytes, of the whole file.
  static let largest = 500_000

  init(_ answers: SiteAnswers, _ explored: Explored) { (self.answers, self.explored) = (answers, explored) }

  var file: SiteFile {
    var frame = PageFrame(
      title: "Explorer · \(Name(answers.app).shortened(to: 60))", heading: "<h1>Explorer</h1>",
      path: "explorer.html", root: "", meta: meta,
      footer: footer, hasExplorer: true)
    frame.sheet = Style.sheet + ExplorerStyle.sheet
    frame.script = (document(ExplorerData(explored, room: 0)), ExplorerScript.text)
    let room = Self.largest - frame.document([Self.body]).utf8.count
    frame.script?.data = document(ExplorerData(explored, room: max(room, 0)))
    return SiteFile(path: "explorer.html", text: frame.document([Self.body]))
  }

  private func document(_ data: ExplorerData) -> String {
    let facts = explored.splits.map(\.release).enumerated().filter { $0.offset % Explored.groupings.count == 0 }
    let releases = facts.map { _, label -> JSON in
      ["name": .string(label), "published": .string(published(label))]
    }
    let parts = Explored.parts.map { JSON.string($0.rawValue) }
    return JSON.object([
      "schema": "uptake.explorer/1", "app": .string(answers.app), "now": .string(answers.now.rfc3339),
      "through": answers.dataThrough.map { .string($0.rfc3339) } ?? .null, "minCell": .integer(answers.smallestGroup),
      "ages": .array(explored.ages.map { .integer(Int($0)) }),
      "usual": .array(Explored.usual.map { .integer(Int($0)) }), "parts": .array(parts), "releases": .array(releases),
      "cuts": data.json,
    ]).harmlessText
  }

  private func published(_ label: String) -> String {
    guard let facts = answers.releases.first(where: { $0.facts.label == label })?.facts else { return "" }
    return facts.publishedAt.map { "\(Format.minute($0.rfc3339)), \(facts.channel)" } ?? "not published"
  }

  private var meta: HTML { ([Name(answers.app).html(atMost: 80)] + answers.instants).joined(" · ") }

  private var footer: HTML {
    """
    <footer><p>Made with uptake \(answers.version) from \(Name(answers.app).html(atMost: 80)). The script loads nothing and \
    estimates nothing: it chooses among answers that are in this file.</p></footer>
    """
  }

  private static let body: HTML = """
    <section class="wide" aria-labelledby="choose"><h2 id="choose">Choose</h2>
    <noscript><p>This page chooses with a script, which is switched off here. The other pages need none.</p></noscript>
    <div class="cut"><fieldset><legend>Releases, at most 4</legend><div id="releases"></div></fieldset>
    <div id="parts"></div></div><p class="note" id="said" role="status"></p></section>
    <section class="wide" aria-labelledby="adoption"><h2 id="adoption">Adoption</h2>
    <p class="note" id="what"></p><p class="note" id="warned"></p><div id="chart"></div>
    <div class="at"><input type="range" id="at" min="0" max="0" value="0"><label for="at">Since a device became eligible</label></div>
    <div class="sc" id="points" role="region" aria-label="Table of one time" tabindex="0"></div></section>
    <section class="wide" aria-labelledby="ages"><h2 id="ages">At usual ages</h2>
    <div class="sc" id="figures" role="region" aria-label="Table of usual ages" tabindex="0"></div>
    <p class="out"><a id="link" href="#">Link to this view</a> <button type="button" id="csv">Save as CSV</button> <button type="button" id="svg">Save as SVG</button></p>
    <div id="commands"></div></section>
    <section class="wide" aria-labelledby="left"><h2 id="left">What is not here</h2><ul id="absent"></ul></section>
    """
}
