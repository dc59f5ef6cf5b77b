import Lifecycle
import Statistics
import Testing

@testable import Report

@Suite struct PanelFileTests {
  private let table = DataTable(
    caption: "By age", columns: [.init("Age"), .init("Waiting"), .init("Adoption"), .init("Of"), .init("Name")],
    rows: [
      [
        Number.duration(3600), Number.count(1018),
        Estimate(0.25, lo: 0.2, hi: 0.3125, level: 0.95, method: .wilson).html(.share),
        "\(Number.count(26)) of \(Number.count(104))", Name("=1+1, \"x\"").html(),
      ], ["later", "— <i>withheld</i>", Number.none("no update yet"), Number.count(7), "a &amp; b"],
    ])

  /// Whole numbers under names of their own, nothing where a page has a dash, and no formula.
  @Test func aTableHasNumbersWhole() {
    #expect(
      table.file.text.split(separator: "\r\n").map(String.init) == [
        "Age,Waiting,Waiting_reason,Adoption,Adoption_lo,Adoption_hi,Adoption_reason,Of,Of 2,Name",
        #"3600,1018,,0.25,0.2,0.3125,,26,104,"'=1+1, ""x""""#,
        "later,,withheld,,,,no update yet,7,,a & b",
      ])
  }

  /// Dates stay, words never stand where numbers do, and a count behind a dash is not taken for what is not known.
  @Test func whatIsNotKnownIsEmpty() {
    let table = DataTable(
      caption: "Two releases", columns: [.init("Measure"), .init("2.0"), .init("Difference"), .init("Adoption")],
      rows: [
        [
          "Devices", Number.count(3), Number.none("not compared"),
          "\(Number.none("not known")) (\(Number.count(3)) devices)",
        ],
        [
          "Published", time(Timestamp(seconds: 1_750_000_000)), "—",
          "\(Number.share(0.5)) (\(Number.count(2)) devices)",
        ],
      ])
    #expect(
      table.file.text.split(separator: "\r\n").map(String.init) == [
        "Measure,2.0,Difference,Difference_reason,Adoption,Adoption 2,Adoption_reason",
        "Devices,3,,not compared,,3,not known (3 devices)", "Published,2025-06-15T15:06:40Z,,,0.5,2,",
      ])
  }

  private let picture = StepChart(
    lines: [
      .init(name: "<2.0> & co", ink: .main, points: [.init(seconds: 60, share: 0.5, lo: 0.25, hi: 0.75)], until: 90)
    ], ticks: [Tick(value: 50, label: "50 s")], horizon: 100, readings: [.init(seconds: 50, words: "a=b \"c\"")]
  ).picture(id: "adoption-p", title: "Adoption of <2.0>")

  /// XML, in the colours of a white page: programs that draw it know no custom properties.
  @Test func aPictureNeedsNothingOfThePage() {
    let file = picture.file
    #expect(file.name == "adoption" && !file.text.contains("var(") && file.text.hasPrefix("<svg xmlns="))
    for tag in file.text.matches(of: /<[a-z][^<>]*>/) {
      let rest = tag.0.replacing(/="[^"]*"/, with: "")
      #expect(!rest.contains("=") && !rest.contains("\""), "\(tag.0)")
    }
    #expect(file.text.contains("<title>a=b &quot;c&quot;</title>"))
    #expect(file.text.contains(".l.km,.c.km{stroke:#0072b2}"))
  }

  @Test func filesKeepTheirNames() {
    let html: HTML = "<div>\(picture.html)\([table.html, table.behind])</div>"
    #expect(html.namedFiles("reach").map(\.name) == ["adoption.svg", "reach.csv", "reach-2.csv"])
    #expect((html + "x").files.count == 3 && [html, html].joined().files.count == 6)
  }

  /// Beside the first page, and found from each.
  @Test func filesLieBesideThePage() throws {
    let page = SitePage(text: "\(SitePage.links(["a.svg"]))", panels: [("a.svg", "<svg/>")])
    let files = page.files(at: ["release/2.0/beta.html", "release/2.0.html"])
    #expect(files.map(\.path) == ["release/2.0/beta.html", "release/2.0.html", "release/2.0/beta.a.svg"])
    #expect(files[0].text.contains("href=\"beta.a.svg\"") && files[1].text.contains("href=\"2.0/beta.a.svg\""))
  }
}
