/// Everything around the panels of a page.
struct PageFrame {
  var title: String
  var heading: HTML
  /// Of a page that others name in their navigation: `push.html`.
  var path: String?
  /// From the page to the folder of the site: empty, or `../`.
  var root: HTML
  var meta: HTML
  /// To other channels and other releases.
  var ways: HTML = ""
  var footer: HTML
  /// Whether the pages of a site stand beside it.
  var hasPages = true
  var hasExplorer = false
  var sheet = Style.sheet
  /// Of the one page that has a script: JSON that no tag ends, and the script that reads it.
  var script: (data: String, text: String)?

  /// A whole document: nothing from elsewhere, one style and at most one script that their digests permit.
  func document(_ panels: [HTML]) -> String {
    let html: HTML = """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(HTML(trusted: Self.policy(sheet, script?.text)))">
      <title>\(title)</title>
      <meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark">
      <meta name="referrer" content="no-referrer"><meta name="robots" content="noindex">
      <link rel="icon" href="data:,">
      <style>\(HTML(trusted: sheet))</style></head>
      <body>\(skip)<header>\(nav)
      \(heading)
      <p class=meta>\(meta)</p>\(ways)</header>
      <main id=main>
      \(panels.joined("\n"))
      </main>
      \(footer)
      \(scripts)</body></html>

      """
    return named(html.description)
  }

  /// The captions of tables by their number; each is named twice.
  private func named(_ page: String) -> String {
    let parts = page.split(separator: DataTable.name.description, omittingEmptySubsequences: false)
    return parts.enumerated().map { $0 == 0 ? String($1) : "t\(($0 + 1) / 2)\($1)" }.joined()
  }

  private var scripts: HTML {
    guard let script else { return "" }
    return """
      <script type="application/json" id="data">\(HTML(trusted: script.data))</script>
      <script>\(HTML(trusted: script.text))</script>

      """
  }

  /// Past all links to other pages. The explorer's address says what is chosen there, and has no room for a place.
  private var skip: HTML { hasPages && script == nil ? "<a class=skip href=#main>Skip to content</a>" : "" }

  private var nav: HTML {
    guard hasPages else { return "" }
    let explorer = hasExplorer ? [("explorer.html", "Explorer")] : []
    let links = [
      ("index.html", "All releases"), ("compare.html", "Comparison"), ("mechanisms.html", "Mechanisms"),
      ("push.html", "Silent push"),
    ]
    let items = (links + explorer).map { target, words -> HTML in
      let mark: HTML = target == path ? " aria-current=page" : ""
      return "<a href=\"\(root)\(target)\"\(mark)>\(words)</a>"
    }
    return "<nav aria-label=\"Pages\">\(items)</nav>"
  }

  /// The attribute and the answer of a server say the same.
  static let policy = policy(Style.sheet, nil)

  private static func policy(_ sheet: String, _ script: String?) -> String {
    let runs = script.map { " script-src 'sha256-\(Digest($0).base64)';" } ?? ""
    let style = " style-src 'sha256-\(Digest(sheet).base64)';"
    return "default-src 'none';\(runs)\(style) img-src data:; base-uri 'none'; form-action 'none'"
  }
}
