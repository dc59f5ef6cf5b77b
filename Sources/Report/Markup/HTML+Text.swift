extension HTML {
  /// The words without the markup, for places that show plain text.
  var text: String {
    var (result, isTag) = ("", false)
    for character in description {
      switch character {
      case "<": isTag = true
      case ">" where isTag: isTag = false
      default: if !isTag { result.append(character) }
      }
    }
    let names = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
    return names.reduce(result) { $0.replacing($1.0, with: $1.1) }
  }
}
