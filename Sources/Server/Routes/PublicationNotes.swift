internal import Answers
internal import Console
internal import Lifecycle

extension Publication {
  /// As it is registered, with what looks like a slip beside it, where something does.
  func json(noting slips: [PublicationSlip]) -> JSON {
    guard !slips.isEmpty, case .object(var fields) = json else { return json }
    fields[PublicationForm.notes] = .array(
      slips.map { slip in
        let lines = slip.words.text(\.requestWords).split(separator: "\n")
        return ["code": .string(slip.code.rawValue), "message": .string(lines.joined(separator: "; "))]
      })
    return .object(fields)
  }
}

extension SlipWords.Deed {
  /// As whoever sent a request does it.
  fileprivate var requestWords: String {
    switch self {
    case .keepTime(let before): "send publishedAt \"\(before.rfc3339)\""
    case .withdraw(let publication): "DELETE \(publication.path)?\(publication.query) (scope admin)"
    case .halt: "send its steps and one of 0 percent behind them"
    case .register(let publication), .haltNow(let publication):
      "PUT \(publication.path) \(publication.json.text(.compact))"
    case .widen: "send those steps and one more behind them"
    }
  }
}

extension Publication {
  var path: String { "/v1/releases/" + percentEncoded(release.rawValue) }

  var query: String {
    let names = [("app", app), ("channel", channel)] + (platform.map { [("platform", $0)] } ?? [])
    return names.map { "\($0.0)=\(percentEncoded($0.1))" }.joined(separator: "&")
  }
}
