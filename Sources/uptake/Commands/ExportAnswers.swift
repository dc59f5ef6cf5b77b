internal import Answers
internal import Console
internal import Lifecycle
internal import Server
internal import Store

extension Invocation {
  /// A file of answers, for programs that speak SQL.
  func exportAnswers() throws -> ExitCode {
    guard let target = text(.output), target != "-" else {
      throw Failure(
        "no_file", "answers are written to a SQLite file", place: "--output", hints: ["name it: --output answers.db"],
        exit: .usage)
    }
    let snapshot = try snapshot()
    let lines = try ReleaseLines.all(
      snapshot, app: text(.app), releases: texts(.exportedReleases), sent: texts(.channel).map { (.channel, $0) },
      now: parameters.now, hash: hashed)
    let about = [
      ("asOf", instant.rfc3339), ("program", "\(program.name) \(program.version)"), ("answers", "\(lines.count)"),
    ]
    try AnswerFile(about: about.map { (name: $0.0, value: $0.1) }, lines: lines).write(to: target)
    try note(["\(target): \(lines.count) line\(lines.count == 1 ? "" : "s"), as of \(instant.rfc3339)"])
    return lines.isEmpty ? .notEnoughData : .done
  }
}
