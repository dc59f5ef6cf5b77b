/// The picture as a file: what it shows stands above it, its colours are those of a white page, and it needs no style sheet
/// of the page, so that it can be put into a message or a slide.
extension Picture {
  var file: PanelFile {
    let (left, right) = frame.margins
    let (width, tall) = (left + Self.plotWidth + right, height + Self.head + Self.edge)
    let drawn: HTML = """
      <svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="t d" width="\(width)" height="\(tall)" viewBox="0 0 \(width) \(tall)">\
      <title id="t">\(title)</title><desc id="d">\(finding ?? "")</desc><style>\(HTML(trusted: Style.picture))</style>\
      <rect width="100%" height="100%" fill="#fff" /><text x="\(Self.edge)" y="22" class="hd">\(title)</text>\
      <svg x="\(left)" y="\(Self.head)" width="\(Self.plotWidth)" height="\(height)">\(drawing)</svg></svg>

      """
    let name = id.hasSuffix("-p") ? String(id.dropLast(2)) : id
    return PanelFile(kind: .svg, name: name, text: wellFormed(drawn.description))
  }

  private static let plotWidth = 640
  private static let head = 36
  private static let edge = 12
}

extension Picture.Frame {
  /// What a page gives as padding, in pixels.
  fileprivate var margins: (left: Int, right: Int) {
    switch self {
    case .curves: (58, 160)
    case .rows: (12, 12)
    case .days: (50, 14)
    }
  }
}

/// The same markup with every value of an attribute in quotes, as XML wants it; pages leave them out where they can.
func wellFormed(_ markup: String) -> String {
  var (result, isTag, isQuoted, isBare) = ("", false, false, false)
  result.reserveCapacity(markup.utf8.count * 9 / 8)
  for scalar in markup.unicodeScalars {
    if isBare, scalar == " " || scalar == ">" {
      result.append("\"")
      isBare = false
    }
    if isTag, !isBare, scalar == "\"" { isQuoted.toggle() }
    if isTag, !isBare, !isQuoted, result.last == "=", scalar != "\"" {
      result.append("\"")
      isBare = true
    }
    if !isQuoted, !isBare, scalar == "<" || scalar == ">" { isTag = scalar == "<" }
    result.unicodeScalars.append(scalar)
  }
  return result
}
