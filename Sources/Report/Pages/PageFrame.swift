/// Everything around the panels of a page.
struct PageFrame {
  var title: String
  var heading: HTML
  /// From the page to the folder of the site: empty, or `../`.
  var root: HTML
  var meta: HTML
  /// To other channels and other releases.
  var ways: HTML = ""
  var footer: HTML
  /// Whether the pages of a site stand beside it.
  var hasPages = true

  /// A whole document: no script, nothing from elsewhere, one style that its digest permits.
  func document(_ panels: [HTML]) -> String {
    let html: HTML = """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
      <title>\(title)</title>
      <meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark">
      <meta name="referrer" content="no-referrer"><meta name="robots" content="noindex">
      <link rel="icon" href="data:,">
      <style>\(HTML(trusted: Style.sheet))</style></head>
      <body><header>\(nav)
      \(heading)
      <p class="meta">\(meta)</p>\(ways)</header>
      <main>
      \(panels.joined("\n"))
      </main>
      \(footer)
      </body></html>

      """
    return html.description
  }

  private var nav: HTML {
    guard hasPages else { return "" }
    let links = [
      ("index.html", "All releases"), ("compare.html", "Comparison"), ("mechanisms.html", "Mechanisms"),
      ("push.html", "Silent push"),
    ]
    let items = links.map { path, words -> HTML in "<a href=\"\(root)\(path)\">\(words)</a>" }
    return "<nav aria-label=\"Pages\">\(items)</nav>"
  }

  /// The attribute and the answer of a server say the same.
  static let policy =
    "default-src 'none'; style-src 'sha256-\(Digest(Style.sheet).base64)'; img-src data:; base-uri 'none'; form-action 'none'"
}
