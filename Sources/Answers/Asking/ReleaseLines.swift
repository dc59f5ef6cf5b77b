public import Console
public import Lifecycle
internal import Query
public import Store

/// What `uptake export answers` asks: questions about one release whose lines are the same columns for every release.
public enum ReleaseLines {
  /// Each has its view in `AnswerFile`.
  public static let questions = [
    QuestionCommand(Adoption.self), QuestionCommand(TimeToUpdate.self), QuestionCommand(Funnel.self),
    QuestionCommand(Failures.self), QuestionCommand(Mechanisms.self),
  ]

  /// The lines of `uptake QUESTION RELEASE --app APP --by channel`, for every release that is chosen.
  ///
  /// - Parameter sent: filters that every question is asked with.
  public static func all(
    _ snapshot: borrowing Snapshot, app: String?, releases: [String], sent: [(option: Option, text: String)],
    now: Instant, hash: @escaping QuestionCommand.DeviceHashing
  ) throws -> [AnswerFile.Line] {
    var lines: [AnswerFile.Line] = []
    for record in snapshot.vocabulary.releases where record.isNamed && app ?? record.app == record.app {
      let release = record.label.rawValue
      guard releases.isEmpty || releases.contains(release) else { continue }
      let asked = sent + [(.app, record.app), (.by(Grouping.self), Grouping.channel.rawValue)]
      for question in questions {
        let parameters = try question.parameters(arguments: [release], sent: asked, now: now)
        let table = try question.answer(parameters, snapshot, hash: hash).presentation.table()
        lines += table.objects.enumerated().map { position, object in
          AnswerFile.Line(
            question: question.name, app: record.app, release: release, position: position, value: object.text(.compact)
          )
        }
      }
    }
    return lines
  }
}
