import Lifecycle

extension Scenario {
  /// Reads a scenario file: a keyword a line, `#` begins a comment, lines after `release` are about that release.
  ///
  /// `file` is the name that problems give.
  public init(parsing text: String, file: String) throws(ScenarioProblem) {
    self.init()
    var number = 0
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      number += 1
      let content = line.prefix { $0 != "#" }
      guard let keyword = content.split(whereSeparator: \.isWhitespace).first else { continue }
      do throws(LineProblem) {
        try read(content, keyword)
      } catch {
        throw ScenarioProblem(file: file, line: number, what: error.what, hint: error.hint)
      }
    }
    if let problem = inconsistency {
      throw ScenarioProblem(file: file, line: 0, what: problem.what, hint: problem.hint)
    }
  }

  private mutating func read(_ line: Substring, _ keyword: Substring) throws(LineProblem) {
    if keyword == "release" { return try beginRelease(line) }
    if let setting = ReleaseSetting.all.first(where: { $0.keyword == keyword }) {
      var words = ScenarioWords(line, usage: setting.usage)
      guard !releases.isEmpty else {
        throw words.problem("'\(keyword)' comes before any release; begin with: release 1.1.0")
      }
      try setting.apply(&releases[releases.count - 1], &words)
      return try words.end()
    }
    guard let setting = Setting.all.first(where: { $0.keyword == keyword }) else {
      throw LineProblem(
        what: "unknown keyword '\(keyword)'", hint: "keywords are \(Self.keywords.joined(separator: ", "))")
    }
    var words = ScenarioWords(line, usage: setting.usage)
    try setting.apply(&self, &words)
    try words.end()
  }

  private mutating func beginRelease(_ line: Substring) throws(LineProblem) {
    var words = ScenarioWords(line, usage: "release LABEL")
    let label = try words.word("the label")
    try words.end()
    guard label != base, !releases.contains(where: { $0.label == label }) else {
      throw words.problem("release '\(label)' exists already; a promotion is a second 'publish' line")
    }
    guard releases.count < 60 else { throw words.problem("there are more than 60 releases") }
    releases.append(ReleasePlan(label: label))
  }

  private static var keywords: [String] {
    Setting.all.map { String($0.keyword) } + ["release"] + ReleaseSetting.all.map { String($0.keyword) }
  }

  private var inconsistency: LineProblem? {
    let names = Set(channels.map(\.name))
    let used = releases.flatMap { $0.publications.map(\.channel) + $0.pushes.map(\.channel) }
    if let unknown = used.first(where: { !names.contains($0) }) {
      return LineProblem(what: "channel '\(unknown)' is not declared", hint: "add a line: channel \(unknown) 10%")
    }
    if let bare = releases.first(where: \.publications.isEmpty) {
      return LineProblem(what: "release '\(bare.label)' is never published", hint: "add: publish CHANNEL at TIME")
    }
    guard names.count == channels.count, channels.count <= 8, channels.contains(where: { $0.share > 0 }) else {
      return LineProblem(
        what: "the channels are not up to 8 different ones with devices", hint: "write channel NAME SHARE")
    }
    return nil
  }

  /// Every keyword with its form and meaning, for help texts.
  public static var reference: [(usage: String, meaning: String)] {
    Setting.all.map { ($0.usage, $0.meaning) } + [
      ("release 1.1.0", "begins a release; the lines after it are about it")
    ]
      + ReleaseSetting.all.map { ($0.usage, $0.meaning) }
  }
}
