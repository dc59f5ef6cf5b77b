internal import Query

extension Site {
  /// The verdict first: what a tab shows of a page.
  func titled(
    _ title: String, _ definition: PageDefinition, _ answers: SiteAnswers, _ release: ReleaseAnswers?
  ) -> String {
    let app = Name(answers.app).shortened(to: 60)
    if let release {
      let verdict = release.standing.verdict.data.first.map { "\($0.title) · " } ?? ""
      return "\(verdict)\(title) on \(Name(release.facts.channel).shortened(to: 40)) · \(app)"
    }
    let showsVerdicts = definition.panels.contains { $0.panel == Panel.verdicts.name }
    guard showsVerdicts, let worst = answers.worst, let verdict = worst.verdict.data.first else {
      return "\(title) · \(app)"
    }
    return "\(verdict.title) · \(Name(worst.facts.label).shortened(to: 40)) on "
      + "\(Name(worst.facts.channel).shortened(to: 40)) · \(title) · \(app)"
  }
}
