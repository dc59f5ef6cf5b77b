import Testing

@testable import Report

@Suite struct MarkupTests {
  static let hostile: [(text: String, html: String)] = [
    ("</title><script>alert(1)</script>", "&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;"),
    ("\"><img src=x onerror=alert(1)>", "&quot;&gt;&lt;img src=x onerror=alert(1)&gt;"),
    ("]]>", "]]&gt;"),
    ("a & b's", "a &amp; b&#39;s"),
    ("\u{202E}gnp.exe", "\u{FFFD}gnp.exe"),
    ("a\u{0}b\u{1B}[31m", "a\u{FFFD}b\u{FFFD}[31m"),
    ("\u{2066}x\u{2069}\u{2028}", "\u{FFFD}x\u{FFFD}\u{FFFD}"),
    ("עדכון 🚀 آپدیت", "עדכון 🚀 آپدیت"),
  ]

  @Test(arguments: hostile) func escapesWhatIsInterpolated(_ row: (text: String, html: String)) {
    let html: HTML = "<p title=\"\(row.text)\">\(row.text)</p>"
    #expect(html.description == "<p title=\"\(row.html)\">\(row.html)</p>")
  }

  static let sentences: [(text: String, names: [String], told: String)] = [
    ("no device launched it", ["ios", "n"], "No device launched it"),
    ("v1.1 was followed for 16.0h", [], "v1.1 was followed for 16.0h"),
    ("android got it 16.0h ago", ["ios", "android"], "android got it 16.0h ago"),
    ("v1.1 on production: 45 crashed", ["v1.1", "production"], "v1.1 on production: 45 crashed"),
  ]

  /// A name keeps its letters where a sentence begins with it.
  @Test(arguments: sentences) func sentencesBeginWithACapital(_ row: (text: String, names: [String], told: String)) {
    #expect(row.text.capitalizedFirst(butFor: row.names) == row.told)
  }

  @Test func keepsMarkup() {
    let part: HTML = "<b>\(1)</b>"
    let none: HTML? = nil
    let html: HTML = "<p>\(part)\(none)\([part, part])</p>"
    #expect(html.description == "<p><b>1</b><b>1</b><b>1</b></p>")
  }

  /// FIPS 180-4, examples of one block, two blocks, and the empty message.
  static let vectors = [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ]

  @Test(arguments: vectors) func digests(_ text: String, _ hex: String) {
    #expect(Digest(text).hex == hex)
  }

  @Test func digestInBase64() {
    #expect(Digest("").base64 == "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")
  }
}

@Suite struct NameTests {
  static let files: [(name: String, file: String)] = [
    ("2.0.0", "2.0.0"), ("v1_rc-3", "v1_rc-3"), ("", "r-e3b0c442"), (".hidden", "r.hidden-"),
    ("../../etc/passwd", "r----etc-passwd-"), ("a..b", "a-b-"), ("v1...2", "v1-.2-"),
    ("a/b", "a-b-"), ("ABC", "ABC-"), ("-rf", "r-rf-"), ("🚀", "--"),
  ]

  @Test(arguments: files) func becomesAFileName(_ row: (name: String, file: String)) {
    let file = Name(row.name).fileName
    #expect(file.hasPrefix(row.file == "--" ? "r-" : row.file))
    #expect(file.utf8.count <= 90)
  }

  @Test func differentNamesNeverShareAFile() {
    let names = [
      "a/b", "a-b", "a\\b", "A-b", "a-B", String(repeating: "x", count: 300), String(repeating: "x", count: 299),
    ]
    #expect(Set(names.map { Name($0).fileName.lowercased() }).count == names.count)
  }

  /// What follows a Hebrew name stays behind it; others are left as they are.
  @Test func sentencesIsolateNames() {
    let html = HTML.sentence("it is behind עדכון 2 on beta <1>", naming: ["עדכון 2", "עדכון", "beta"])
    #expect(html.description == "it is behind <bdi>עדכון 2</bdi> on beta &lt;1&gt;")
    #expect(HTML.sentence("2.0 is behind 1.0", naming: ["1.0"]).description == "2.0 is behind 1.0")
  }

  @Test func shortensInTheMiddle() {
    let long = String(repeating: "a", count: 290) + "the-end"
    #expect(Name(long).shortened(to: 20) == "aaaaaaaaaaaaa…he-end")
    #expect(Name("עדכון").shortened(to: 20) == "עדכון")
    #expect(Name("").shortened(to: 20) == "(no name)")
    #expect(Name(long).html().description.contains("title=\"\(long)\""))
  }
}
