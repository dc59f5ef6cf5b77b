import Foundation
import Testing

@testable import Report

@Suite struct PageDefinitionTests {
  @Test func builtInPagesAreTheFiles() throws {
    let folder = repository.appending(path: "dashboards/pages")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
      .sorted()
    #expect(BuiltInPages.all.map(\.file) == files)
    for page in BuiltInPages.all {
      let text = try String(contentsOf: folder.appending(path: page.file), encoding: .utf8)
      #expect(page.json == text, "\(page.file) and Sources/Report/Pages/BuiltInPages.swift differ")
    }
  }

  @Test func documentationListsEveryPanel() throws {
    let text = try String(contentsOf: repository.appending(path: "dashboards/README.md"), encoding: .utf8)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `") && !$0.hasPrefix("| `v1_") }
    let expected = Panel.all.sorted { $0.name < $1.name }.map { panel in
      let options = panel.options.map { "`\($0.rawValue)`" }.joined(separator: ", ")
      return "| `\(panel.name)` | \(panel.scope.rawValue) | \(options.isEmpty ? "–" : options) | \(panel.purpose) |"
    }
    #expect(rows.map(String.init) == expected)
  }

  @Test func panelNamesAreUnique() {
    #expect(Set(Panel.all.map(\.name)).count == Panel.all.count)
  }

  static let problems: [(json: String, problem: String)] = [
    ("[", "is not JSON"),
    (#"{"title":"T","panels":[]}"#, #""path" is missing"#),
    (#"{"path":"a.html","title":"T","panels":[{"options":{}}]}"#, #"panels, panel 1: "panel" is missing"#),
    (#"{"path":"a.html","title":"T","panels":[{"panel":3}]}"#, "panels, panel 1, panel: is not of the right type"),
    (#"{"scope":"app","path":"a.html","title":"T","panels":[]}"#, #"scope "app" is not one of: site, release"#),
    (
      #"{"path":"a.html","title":"T","panels":[{"panel":"adoptoin"}]}"#,
      #"panel 1: "adoptoin" is no panel of a site page; it can be: "#
    ),
    (
      #"{"path":"a.html","title":"T","panels":[{"panel":"mechanism-curves","options":{"colour":"red"}}]}"#,
      #"panel 1, mechanism-curves: "colour" is no option; it can be: title, horizon"#
    ),
    (
      #"{"path":"a.html","title":"T","panels":[{"panel":"mechanism-curves","options":{"horizon":"soon"}}]}"#,
      #"panel 1, mechanism-curves: horizon "soon" is no length of time such as 72h or 14d"#
    ),
    (#"{"path":"../a.html","title":"T","panels":[]}"#, #"path "../a.html" is not like page.html or folder/page.html"#),
    (
      #"{"scope":"release","path":"a.html","title":"T","panels":[]}"#,
      #"path "a.html" must contain {release} in pages of a release, and only there"#
    ),
    (
      #"{"scope":"release","path":"{channel}/{release}.html","title":"T","panels":[]}"#,
      #"path "{channel}/{release}.html" may name {channel} only at its end: {release}/{channel}.html"#
    ),
  ]

  @Test(arguments: problems) func refuses(_ row: (json: String, problem: String)) {
    #expect {
      _ = try PageDefinition(row.json, file: "mine.json")
    } throws: { error in
      String(describing: error).hasPrefix("mine.json: \(row.problem)")
    }
  }
}
