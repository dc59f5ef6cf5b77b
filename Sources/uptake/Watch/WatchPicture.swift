internal import Console
internal import Query

/// Which channel and release somebody looks at, by their places: those may be others a moment later.
struct WatchChoice: Equatable, Sendable {
  /// nil: the channel that needs eyes most.
  var channel: Int?
  /// 0 is the newest release of the channel.
  var release = 0
}

/// What a screen shows, as answers gave it.
struct WatchPicture: Sendable {
  /// A verdict each channel.
  var verdicts: [JSON]
  /// Why there is none.
  var lacking: String?
  /// Why nobody is counted where all devices are emulators.
  var onlyEmulators: String?
  var selected: Int
  /// The verdict of the release that is looked at; nil where no release is known.
  var shown: JSON?
  var adoption: JSON?
  var mechanisms: JSON?
  var failures: JSON?
  /// What holds updates up most; nil where nothing is found, or nobody has looked yet.
  var finding: JSON?
  var dataThrough: String?
  var generatedAt: String?
}

extension WatchPicture {
  /// - Parameter channels: only these; empty for all.
  init(_ source: some WatchSource, _ choice: WatchChoice, channels: [String]) throws {
    let filter = channels.isEmpty ? [] : [("channel", channels.joined(separator: ","))]
    let document = try source.documents([Ask(question: "verdict", parameters: filter)])[0]
    let verdicts = document["data"]?.elements ?? []
    self.verdicts = verdicts
    dataThrough = document["dataThrough"]?.word
    generatedAt = document["generatedAt"]?.word
    func warning(_ code: String) -> String? {
      document["warnings"]?.elements.first { $0["code"]?.word == code }?["message"]?.word
    }
    (lacking, onlyEmulators) = (warning(Warning.noReleases), warning(Warning.onlyEmulators))
    selected = choice.channel.map { verdicts.isEmpty ? 0 : $0 % verdicts.count } ?? Self.mostUrgent(verdicts)
    guard verdicts.indices.contains(selected) else { return }
    shown = verdicts[selected]
    if choice.release > 0 { shown = try Self.older(source, choice.release, than: verdicts[selected]) }
    try look(source)
  }

  /// What needs eyes most; of those alike, where most devices are.
  private static func mostUrgent(_ verdicts: [JSON]) -> Int {
    verdicts.indices.max { left, right in
      (urgency(verdicts[left]), verdicts[left]["devices"]?.count ?? 0)
        < (urgency(verdicts[right]), verdicts[right]["devices"]?.count ?? 0)
    } ?? 0
  }

  private static func urgency(_ verdict: JSON) -> Int {
    switch verdict["decision"]?.word.flatMap(Verdict.Decision.init(rawValue:)) {
    case .stop: 2
    case .wait, nil: 1
    case .goOn: 0
    }
  }

  private static func older(_ source: some WatchSource, _ steps: Int, than newest: JSON) throws -> JSON {
    let channel = newest["channel"]?.word ?? ""
    let rows = try source.documents([Ask(question: "releases", parameters: [("channel", channel)])])[0]["data"]
    let labels = (rows?.elements ?? []).compactMap { $0["release"]?.word }
    guard !labels.isEmpty else { return newest }
    let ask = Ask(
      question: "verdict", parameters: [("release", labels[min(steps, labels.count - 1)]), ("channel", channel)])
    return try source.documents([ask])[0]["data"]?.elements.first ?? newest
  }

  private mutating func look(_ source: some WatchSource) throws {
    guard let release = shown?["release"]?.word, let channel = shown?["channel"]?.word else { return }
    let asked = [("release", release), ("channel", channel)]
    let documents = try source.documents([
      Ask(question: "adoption", parameters: asked + [("points", "200")]),
      Ask(question: "mechanisms", parameters: asked), Ask(question: "failures", parameters: asked),
    ])
    let rows = documents.map { $0["data"]?.elements.first }
    (adoption, mechanisms, failures) = (rows[0], rows[1], rows[2])
  }
}

extension WatchPicture {
  /// The weightiest finding above a note. It takes a look at every device: to be asked for seldom.
  static func finding(_ source: some WatchSource, channels: [String]) throws -> JSON? {
    let filter = channels.isEmpty ? [] : [("channel", channels.joined(separator: ","))]
    let rows = try source.documents([Ask(question: "diagnose", parameters: filter)])[0]["data"]?.elements ?? []
    return rows.first { $0["level"]?.word != Diagnosis.Level.note.rawValue }
  }
}
