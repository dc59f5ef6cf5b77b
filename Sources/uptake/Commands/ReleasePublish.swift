internal import Answers
internal import Console
internal import Lifecycle
internal import Query
internal import Server
internal import Store

extension Option {
  static let onChannel = Option(
    "channel", .text, fallback: "production", completion: "channels", help: "The channel it is published to")
  static let onPlatform = Option(
    "platform", .text, completion: "platforms", help: "Only for this platform; all where not given")
}

private extension Option {
  static let at = Option("at", .instant, help: "When it was published; now where not given")
  static let rollout = Option(
    "rollout", .text, value: "STEPS",
    help: "Shares and times after publication, such as 10%@0h,50%@24h,100%@48h; or @now")
  static let mandatory = Option("mandatory", help: "Clients must install it")
}

private extension Option {
  static let from = Option(
    "from", .path, completion: "files", help: "Register every publication of this JSON file, as release list prints it")
}

extension Command {
  static let releasePublish = Command(
    "publish", purpose: "Register when a release came to a channel, or correct it",
    discussion: """
      It takes the place of what was registered of the release there, steps and all. To widen a rollout use release widen, \
      to end one release halt.
      """,
    arguments: [.init("RELEASE", .optional, completion: "releases", help: "The release, as clients name it")],
    options: [.database, .app, .onChannel, .onPlatform, .at, .rollout, .mandatory, .from, .now] + Option.answer,
    examples: [
      .init("To everybody, now", "uptake release publish 2.0.0 --app com.example.demo"),
      .init(
        "In steps", "uptake release publish 2.0.0 --at 2025-03-01T08:00:00Z --rollout '10%@0h,50%@24h,100%@48h'"),
    ],
    exits: [.databaseUnusable], seeAlso: ["release widen", "release halt", "release list", "release withdraw"]
  ) { invocation in
    let publications = try invocation.text(.from).map(invocation.publications) ?? [try invocation.publication()]
    let path = try invocation.newDatabasePath()
    try invocation.noteSlips(publications, path)
    let registry = try Registry(path: path)
    for publication in publications { try registry.publish(publication, now: invocation.instant) }
    try invocation.show(publicationsPresentation(publications))
    return .done
  }
}

extension Invocation {
  fileprivate func publications(from path: String) throws -> [Publication] {
    guard let bytes = try host.readFile(path) else {
      throw Failure("file_missing", "there is no file \(path)", hints: ["check the path"], exit: .usage)
    }
    do {
      return try PublicationForm.list(bytes).map { form in
        guard let label = form.release else { throw BadForm("release", "release is missing") }
        return try form.publication(label, app: text(.app), now: Timestamp(rawValue: now.rawValue), longest: 1024)
      }
    } catch let problem as BadForm {
      throw Failure("bad_publications", problem.message, place: path, exit: .usage)
    }
  }

  fileprivate func publication() throws -> Publication {
    guard let label = arguments.first else {
      throw Failure("no_release", "no release is named", hints: ["name it, or give a file with --from"], exit: .usage)
    }
    let app = try text(.app) ?? onlyApp()
    let published = Timestamp(rawValue: (self.instant(.at) ?? now).rawValue)
    guard published.isPermitted else {
      throw Failure(
        "bad_value", "\(published.rfc3339) is no time of a publication", place: "--at",
        hints: ["give a time between the years 2000 and 9999"], exit: .usage)
    }
    let steps = try text(.rollout).map { try rolloutSteps($0, from: published, now: self.instant) } ?? []
    let publication = Publication(
      app: app, release: ReleaseLabel(rawValue: label), channel: text(.onChannel) ?? "production",
      platform: text(.onPlatform), publishedAt: published, rollout: steps, mandatory: flag(.mandatory))
    do { try publication.check(longest: 1024) } catch { throw Failure("bad_value", error.message, exit: .usage) }
    return publication
  }

  /// The app of a database that holds one. Where there is none yet, or no database, it is no question that goes unanswered: the
  /// publication lacks its app.
  private func onlyApp() throws -> String {
    do { return try snapshot().vocabulary.chosenApp(nil) } catch let error where isOfNothing(error) {
      throw Failure(
        "no_app", "no app is named", hints: ["name it with --app, such as --app com.example.demo"], exit: .usage)
    }
  }

  private func isOfNothing(_ error: any Error) -> Bool {
    (error as? StoreError)?.kind == .missingFile || (error as? QuestionError) == .nothingStored
  }
}

/// Reads `10%@0h,50%@24h,100%@48h`: shares of devices, each from a time after the publication, an instant or now on.
func rolloutSteps(_ text: String, from published: Timestamp, now: Timestamp) throws(Failure) -> [RolloutStep] {
  var steps: [RolloutStep] = []
  for part in text.split(separator: ",", omittingEmptySubsequences: false) {
    let pieces = part.split(separator: "@", maxSplits: 1).map { $0.trimming(" ") }
    guard pieces.count == 2, pieces[0].hasSuffix("%"), let percent = Double(pieces[0].dropLast()),
      (0...100).contains(percent),
      let at = pieces[1] == "now" ? now : instant(pieces[1], from: published), at.isPermitted
    else {
      throw Failure(
        "bad_rollout", "\"\(part)\" is not a rollout step", place: "--rollout",
        hints: [
          "a step is a share and a time after publication, such as 10%@0h, before the year 10000; commas separate steps",
          "to let more devices have a release that is out, from now on: uptake release widen RELEASE PERCENT",
        ],
        exit: .usage)
    }
    steps.append(RolloutStep(at: at, percent: percent))
  }
  return steps.sorted { $0.at < $1.at }
}

private func instant(_ text: String, from published: Timestamp) -> Timestamp? {
  if let duration = try? Console.Duration(text) { return published + Milliseconds(rawValue: duration.rawValue) }
  return try? Timestamp(rfc3339: text)
}

extension Substring {
  fileprivate func trimming(_ character: Character) -> String {
    var rest = self
    while rest.first == character { rest.removeFirst() }
    while rest.last == character { rest.removeLast() }
    return String(rest)
  }
}
