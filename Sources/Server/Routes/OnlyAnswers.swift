internal import HTTP
internal import Ingest

extension Service.Settings {
  /// What questions are asked of: the file, or a warehouse in its place.
  var asked: String { warehouse ?? path }
}

extension Service {
  /// Why a service that answers for a warehouse stores nothing. Not 404: what is sent here by mistake must not be thrown away.
  var onlyAnswers: (code: String, message: String)? {
    guard settings.warehouse != nil else { return nil }
    return (
      "only_answers",
      "this service answers questions of a warehouse and stores nothing; send it to a node that ships there"
    )
  }

  /// The same as an answer.
  var onlyAnswersResponse: Response? {
    onlyAnswers.map { Response.error(503, code: $0.code, $0.message).retry(after: 60) }
  }

  /// What only a file can tell.
  var onlyInFiles: Response? {
    guard settings.warehouse != nil else { return nil }
    return .error(404, code: "only_in_files", "a warehouse does not hold that; ask a node that ships there")
  }
}
