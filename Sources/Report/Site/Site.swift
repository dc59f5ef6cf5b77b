internal import Console
internal import Lifecycle

/// A file of the site, to be written below its folder.
public struct SiteFile: Equatable, Sendable {
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
      definition.scope == Panel.Scope.release.rawValue
        ? answers.releases.map { page(definition, answers, $0) } : [page(definition, answers, nil)]
    }
    return pages + [SiteFile(path: "data.json", text: try data(answers).text() + "\n")]
  }

  private func page(_ definition: PageDefinition, _ answers: SiteAnswers, _ release: ReleaseAnswers?) -> SiteFile {
    let path = definition.path.replacing("{release}", with: release.map { Name($0.facts.label).fileName } ?? "")
    let root: HTML = path.contains("/") ? "../" : ""
    var seen: [String: Int] = [:]
    let panels = definition.panels.map { entry -> HTML in
      seen[entry.panel, default: 0] += 1
      let times = seen[entry.panel] ?? 1
      let context = PanelContext(
        site: answers, release: release, options: PanelOptions(title: entry.title, horizon: entry.horizon), root: root,
        id: times == 1 ? entry.panel : "\(entry.panel)-\(times)")
      return Panel.named(entry.panel)?.render(context) ?? .empty
    }
    return SiteFile(path: path, text: frame(definition, answers, release, root).document(panels.filter { !$0.isEmpty }))
  }

  private func frame(
    _ definition: PageDefinition, _ answers: SiteAnswers, _ release: ReleaseAnswers?, _ root: HTML
  ) -> PageFrame {
    let label = release?.facts.label ?? ""
    let title = definition.title.replacing("{release}", with: Name(label).shortened(to: 60))
    return PageFrame(
      title: "\(title) · \(Name(answers.app).shortened(to: 60))", heading: heading(definition, release), root: root,
      meta: meta(answers, release),
      footer:
        "<footer><p>Made with uptake \(answers.version) from \(Name(answers.app).html(atMost: 80)). No script, nothing loaded from elsewhere.</p></footer>"
    )
  }

  private func heading(_ definition: PageDefinition, _ release: ReleaseAnswers?) -> HTML {
    guard let release else { return "<h1>\(definition.title)</h1>" }
    let words = definition.title.replacing("{release}", with: "\u{0}").split(
      separator: "\u{0}", omittingEmptySubsequences: false)
    let name: HTML = "<bdi>\(release.facts.label)</bdi>"
    let text = words.map { "\(String($0))" as HTML }.joined(name)
    let long: HTML = release.facts.label.count > 60 ? " class=\"long\"" : ""
    return "<h1\(long)>\(text) on \(Name(release.facts.channel).html())</h1>"
  }

  private func meta(_ answers: SiteAnswers, _ release: ReleaseAnswers?) -> HTML {
    var parts: [HTML] = []
    if let release {
      parts.append(Panel.ageWords(release.facts, answers.now))
      if release.facts.isInferred { parts.append("publication inferred") }
      if release.facts.mandatory { parts.append("mandatory") }
      if !release.facts.alsoOn.isEmpty {
        parts.append("also on \(release.facts.alsoOn.map { Name($0).html() }.joined(", "))")
      }
    } else {
      parts.append(Name(answers.app).html(atMost: 80))
    }
    parts.append(answers.dataThrough.map { "data to \(time($0))" } ?? "no data yet")
    parts.append("present \(time(answers.now))")
    return parts.joined(" · ")
  }

  /// Every answer that the pages show, as the command line prints it.
  private func data(_ answers: SiteAnswers) throws -> JSON {
    .object([
      "schema": .string("uptake.report/1"), "app": .string(answers.app), "generatedAt": .string(answers.now.rfc3339),
      "releases": .array(try answers.releases.map(data)), "current": .array(try answers.current.map(data)),
      "reach": try answers.reach.map { try JSON(encoding: $0) } ?? .null, "push": try JSON(encoding: answers.push),
    ])
  }

  private func data(_ release: ReleaseAnswers) throws -> JSON {
    .object([
      "release": .string(release.facts.label), "channel": .string(release.facts.channel),
      "page": .string(release.standing.path), "standing": try data(release.standing),
      "waiting": try JSON(encoding: release.waiting), "reach": try JSON(encoding: release.reach),
      "segments": .array(try release.segments.map { try JSON(encoding: $0) }),
      "funnel": try JSON(encoding: release.funnel),
      "forecast": try release.forecast.map { try JSON(encoding: $0) } ?? .null,
    ])
  }

  private func data(_ standing: Standing) throws -> JSON {
    .object([
      "release": .string(standing.facts.label), "channel": .string(standing.facts.channel),
      "adoption": try JSON(encoding: standing.adoption), "timeToUpdate": try JSON(encoding: standing.speed),
      "failures": try JSON(encoding: standing.failures),
    ])
  }
}
