internal import Console
internal import Query

extension Panel {
  private static let most = 5

  static let findings = Panel(
    name: "findings", scope: .site, place: .wide, options: [.title],
    purpose: "What holds updates up, with the figures and the command that prints them; of a release what is about it",
    reads: { [Exhibit($0.site.findings)] }
  ) { context in
    // Only the newest release of a channel is looked at: of others there is nothing to say.
    if let facts = context.release?.facts, context.site.standing(facts.label, facts.channel) == nil { return .empty }
    let all = context.site.findings.data.filter { $0.isAbout(context.release?.facts) }
    guard !all.isEmpty else { return context.missing("What holds updates up", none(context)) }
    // Where there is no room for it, what the verdict above says is not said again.
    let rows = all.filter { context.release == nil || context.detail != .least || $0.finding != .releaseHarms }
    guard !rows.isEmpty else { return context.missing("What holds updates up", "Nothing but what the verdict says.") }
    let left = rows.count - most
    let rest: HTML = left > 0 ? note("\(left) more: <code>uptake diagnose</code>.") : ""
    return context.section(
      "What holds updates up", rows.prefix(most).enumerated().map { one($1, $0 + 1) }.joined("\n"), rest)
  }

  private static func none(_ context: PanelContext) -> HTML {
    let warnings = context.site.findings.warnings.filter { !Warning.aboutCutOff.contains($0.code) }.map {
      "\($0.sentence) " as HTML
    }.joined()
    return """
      \(warnings)Nothing was found. A finding rests on \(Diagnosis.fewest) devices at least, of updates that do not stay on \
      \(Diagnosis.fewestUndone), and is beyond its limit for certain.
      """
  }

  private static func one(_ finding: Diagnosis, _ number: Int) -> HTML {
    let causes: HTML =
      finding.causes.isEmpty ? "" : "<ul>\(finding.causes.map { "<li>Perhaps: \($0)" as HTML })</ul>"
    return """
      <div class=finding><h3><span class="badge \(finding.level.style)">\(finding.level.rawValue)</span> \
      \(finding.sentence.capitalizedFirst(butFor: finding.group.parts.values))</h3>\(causes)<p>Check: \(whole(finding.check.description))</p>\(evidence(finding, number).html)</div>
      """
  }

  /// A line ends before an option and not amid its dashes.
  private static func whole(_ text: String) -> HTML {
    text.split(separator: " ", omittingEmptySubsequences: false).map { word -> HTML in
      word.hasPrefix("--") ? "<span class=o>\(String(word))</span>" : "\(String(word))"
    }.joined(" ")
  }

  private static func evidence(_ finding: Diagnosis, _ number: Int) -> DataTable {
    DataTable(
      caption: "Figures behind finding \(number), with intervals", isStacked: false,
      columns: [.init("What"), .init("Of them"), .init("Among"), .init("Share"), .init("Command", isText: true)],
      rows: finding.evidence.map { row in
        [
          "\(row.what)", row.count.map(Number.count) ?? "—", row.of.map(Number.count) ?? "—",
          row.share?.html(.share) ?? "—", "<code>\(row.command.description)</code>",
        ]
      })
  }
}

extension Diagnosis {
  /// Whether it is about a release on a channel: a finding that names another of them is not. All are about none.
  fileprivate func isAbout(_ facts: ReleaseFacts?) -> Bool {
    guard let facts else { return true }
    return (group.parts["channel"] ?? facts.channel) == facts.channel
      && (group.parts["release"] ?? facts.label) == facts.label
  }
}

extension Diagnosis.Level {
  fileprivate var style: String {
    switch self {
    case .note: "calm"
    case .warning: "warn"
    case .problem: "bad"
    }
  }
}
