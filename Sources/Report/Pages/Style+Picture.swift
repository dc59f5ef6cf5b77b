/// The style of a picture that is a file of its own: colours stand where pages have names for them, because programs that draw
/// pictures know no custom properties.
extension Style {
  static let picture = plain + inks

  private static let plain: String = {
    let shared = pictures.split(separator: "\n").map(String.init).joined()
    let named = light.split(separator: ";").reduce(shared) { style, pair in
      let words = pair.split(separator: ":", maxSplits: 1)
      return words.count == 2 ? style.replacing("var(\(words[0]))", with: words[1]) : style
    }
    // Every ink has its own rules below.
    let bare = ["fill", "stroke"].reduce(named) {
      $0.replacing("\($1):var(--k);", with: "").replacing("\($1):var(--k)", with: "")
    }
    return bare
      + "svg{font-family:system-ui,sans-serif}svg .hd{font-size:15px;font-weight:600;fill:#1a1a1a}svg .m,svg .el{display:inline}"
  }()

  private static let inks: String = Ink.allCases.map { ink in
    let (name, colour) = (ink.name, ink.light)
    return ".l.\(name),.c.\(name){stroke:\(colour)}.a.\(name),.b.\(name),.dt.\(name),svg .sw.\(name){fill:\(colour)}"
      + (ink.dash.map { ".l.\(name){stroke-dasharray:\($0)}" } ?? "")
  }.joined()

  /// What a browser may do with such a file: nothing but draw it.
  static let picturePolicy =
    "default-src 'none'; style-src 'sha256-\(Digest(picture).base64)'; base-uri 'none'; form-action 'none'"
}
