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
  static let at = Option(
    "at", .instant,
    help: "When it was published; where not given the time that is registered there, and now for what is not")
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
      It takes the place of what was registered of the release there, steps and all; but a time that is not named with --at \
      stays, and so does a halt where no --rollout is given, so that a deployment that runs twice neither moves a release nor \
      starts one again. To widen a rollout, or to open a halted one, use release widen, to end one release halt. Where more \
      devices get a release whose verdict is stop, that is said.
      """,
    arguments: [.init("RELEASE", .optional, completion: "releases", help: "The release, as clients name it")],
    options: [.database, .app, .onChannel, .onPlatform, .at, .rollout, .mandatory, .from, .harmLimit, .now]
      + Option.answer,
    examples: [
      .init("To everybody, now", "uptake release publish 2.0.0 --app com.example.demo"),
      .init(
        "In steps", "uptake release publish 2.0.0 --at 2025-03-01T08:00:00Z --rollout '10%@0h,50%@24h,100%@48h'"),
    ],
    exits: [.databaseUnusable], seeAlso: ["release widen", "release halt", "release list", "release withdraw"]
  ) { invocation in
    let asked = try invocation.text(.from).map(invocation.publications) ?? [try invocation.publication()]
    let path = try invocation.newDatabasePath()
    let novelty = newDatabaseNote(path)
    // It makes a write-ahead log of a backup's journal, which no reader may hold.
    let registry = try Registry(path: path)
    let before = try? Snapshot(path: path)
    let publications = try invocation.register(asked, registry, before)
    if let novelty { try invocation.noteOnce(novelty) }
    try withExtendedLifetime(registry) { try invocation.show(publicationsPresentation(publications)) }
    return .done
  }
}

extension Invocation {
  fileprivate func publications(from path: String) throws -> [AskedPublication] {
    guard let bytes = try host.readFile(path) else {
      throw Failure("file_missing", "there is no file \(path)", hints: ["check the path"], exit: .usage)
    }
    do {
      return try PublicationForm.list(bytes).map { form in
        guard let label = form.release else { throw BadForm("release", "release is missing") }
        let publication = try form.publication(
          label, app: text(.app), now: Timestamp(rawValue: now.rawValue), longest: 1024)
        return AskedPublication(
          publication: publication, namesTime: form.namesTime, namesRollout: form.namesRollout)
      }
    } catch let problem as BadForm {
      throw Failure("bad_publications", problem.message, place: path, exit: .usage)
    }
  }

  fileprivate func publication() throws -> AskedPublication {
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
    let steps = text(.rollout)
    let publication = Publication(
      app: app, release: ReleaseLabel(rawValue: label), channel: text(.onChannel) ?? "production",
      platform: text(.onPlatform), publishedAt: published,
      rollout: try steps.map { try rolloutSteps($0, from: published, now: self.instant) } ?? [],
      mandatory: flag(.mandatory))
    return AskedPublication(
      publication: try checked(publication), namesTime: self.instant(.at) != nil, namesRollout: steps != nil,
      steps: steps)
  }

  func checked(_ publication: Publication) throws(Failure) -> Publication {
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
