internal import Console
internal import Lifecycle

/// A file of the site, to be written below its folder.
public struct SiteFile: Equatable, Sendable, Codable {
  /// Relative, with `/`.
  public var path: String
  public var text: String

  /// Another for other bytes.
  public var digest: String { String(Digest(text).hex.prefix(32)) }
}

/// The pages of one app as text: the same answers give the same bytes.
public struct Site: Sendable {
  private let definitions: [PageDefinition]

  /// The built-in pages; a page of the same file name replaces one, others are added.
  ///
  /// - Parameter pages: names and texts of `*.json`.
  public init(pages: [(file: String, json: String)] = []) throws(PageError) {
    var all = Dictionary(uniqueKeysWithValues: BuiltInPages.all.map { ($0.file, $0.json) })
    for page in pages { all[page.file] = page.json }
    var definitions: [PageDefinition] = []
    for (file, json) in all.sorted(by: { $0.key < $1.key }) {
      definitions.append(try PageDefinition(json, file: file))
    }
    self.definitions = definitions
  }

  public func files(_ answers: SiteAnswers) throws -> [SiteFile] {
    let pages = definitions.flatMap { definition -> [SiteFile] in
      guard definition.scope == Panel.Scope.release.rawValue else {
        return files(definition, answers, nil, at: [definition.path])
      }
      return answers.pages.flatMap { release in
        let paths = definition.paths(release.facts)
        return paths.isEmpty ? [] : files(definition, answers, release, at: paths)
      }
    }
    let explorer = answers.explored.map { [ExplorerPage(answers, $0).file] } ?? []
    return pages + explorer + [SiteFile(path: "data.json", text: try data(answers).text() + "\n")]
  }

  /// A page and what lies beside it, with as much detail as it has room for.
  private func files(
    _ definition: PageDefinition, _ answers: SiteAnswers, _ release: ReleaseAnswers?, at paths: [String]
  ) -> [SiteFile] {
    var files: [SiteFile] = []
    for detail in PageDetail.allCases {
      files = page(definition, answers, release, detail).files(at: paths)
      if files.prefix(paths.count).allSatisfy({ $0.text.utf8.count <= PageDetail.largest }) { break }
    }
    return files
  }

  private func page(
    _ definition: PageDefinition, _ answers: SiteAnswers, _ release: ReleaseAnswers?, _ detail: PageDetail
  ) -> SitePage {
    let root = SitePage.root
    var context = PanelContext(site: answers, release: release, options: PanelOptions(), root: root, id: "")
    context.detail = detail
    let entries = definition.panels.compactMap { entry in Panel.named(entry.panel).map { (entry: entry, panel: $0) } }
    var known: Set<String> = []
    context.exhibits = entries.flatMap { $0.panel.reads(context) }.filter { known.insert($0.name).inserted }
    var seen: [String: Int] = [:]
    var files: [(name: String, text: String)] = []
    let panels = entries.map { entry, panel -> HTML in
      seen[entry.panel, default: 0] += 1
      let times = seen[entry.panel] ?? 1
      context.id = times == 1 ? entry.panel : "\(entry.panel)-\(times)"
      context.options = PanelOptions(title: entry.title, horizon: entry.horizon)
      let html = panel.render(context)
      let own = html.namedFiles(context.id)
      files += own
      return placed(panel, html + SitePage.links(own.map(\.name)), panel.reads(context))
    }
    let text = frame(definition, answers, release, root).document(panels.filter { !$0.isEmpty })
    return SitePage(text: text, panels: files)
  }

  /// The panel, and the answers in `data.json` that hold each of its numbers.
  private func placed(_ panel: Panel, _ html: HTML, _ exhibits: [Exhibit]) -> HTML {
    guard !html.isEmpty else { return html }
    let style: HTML = panel.place == .half ? "" : " class=\(panel.place.rawValue)"
    let names = (exhibits.map(\.name) + [panel.ownData].compactMap(\.self)).joined(separator: " ")
    let from: HTML = names.isEmpty ? "" : " data-from=\"\(names)\""
    return "<div\(style)\(from)>\(html)</div>"
  }

  private func frame(
    _ definition: PageDefinition, _ answers: SiteAnswers, _ release: ReleaseAnswers?, _ root: HTML
  ) -> PageFrame {
    let label = release?.facts.label ?? ""
    let title = definition.title.replacing("{release}", with: Name(label).shortened(to: 60))
    return PageFrame(
      title: titled(title, definition, answers, release), heading: heading(definition, release),
      path: definition.path, root: root, meta: meta(answers, release),
      ways: release.map { ways($0, answers, root) } ?? "",
      footer:
        "<footer><p>Made with uptake \(answers.version) from \(Name(answers.app).html(atMost: 80)). No script, nothing loaded from elsewhere.</p></footer>",
      hasExplorer: answers.explored != nil)
  }

  private func heading(_ definition: PageDefinition, _ release: ReleaseAnswers?) -> HTML {
    guard let release else { return "<h1>\(definition.title)</h1>" }
    let words = definition.title.replacing("{release}", with: "\u{0}").split(
      separator: "\u{0}", omittingEmptySubsequences: false)
    let name: HTML = "<bdi>\(release.facts.label)</bdi>"
    let text = words.map { "\(String($0))" as HTML }.joined(name)
    let long: HTML = release.facts.label.count > 60 ? " class=\"long\"" : ""
    return "<h1\(long)>\(text) on \(Name(release.facts.channel).html(atMost: 64))</h1>"
  }

  private func meta(_ answers: SiteAnswers, _ release: ReleaseAnswers?) -> HTML {
    var parts: [HTML] = []
    if let release {
      parts.append(Panel.ageWords(release.facts, answers.now))
      if release.facts.isInferred { parts.append("publication inferred") }
      if release.facts.mandatory { parts.append("mandatory") }
      let unseen = release.facts.alsoOn.filter { answers.page(release.facts.label, $0) == nil }
      if !unseen.isEmpty { parts.append("also on \(unseen.map { Name($0).html() }.joined(", "))") }
    }
    return ([Name(answers.app).html(atMost: 128)] + parts + answers.instants).joined(" · ")
  }

  /// Every answer that the pages show, whole, as the command beside it prints it.
  private func data(_ answers: SiteAnswers) throws -> JSON {
    let exhibits = try answers.exhibits.map { exhibit in
      (exhibit.name, JSON.object(["command": .string("\(exhibit.command)"), "answer": try exhibit.json()]))
    }
    return .object([
      "schema": .string("uptake.report/1"), "app": .string(answers.app), "generatedAt": .string(answers.now.rfc3339),
      "program": .string(answers.version), "command": .string("\(answers.command)"),
      "answers": .object(Dictionary(uniqueKeysWithValues: exhibits)), "health": try JSON(encoding: answers.health),
      "releases": .array(
        answers.releases.map { release in
          .object([
            "release": .string(release.facts.label), "channel": .string(release.facts.channel),
            "page": .string(release.standing.path), "answers": .array(release.exhibits.map { .string($0.name) }),
          ])
        }),
    ])
  }
}
