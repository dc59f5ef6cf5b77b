internal import Answers
internal import Console
internal import HTTP
internal import Lifecycle
internal import Query

/// What is wrong with a question, as whoever sent a request can mend it: by parameters and routes, not by options and commands.
func requestWords(_ error: any Error, _ failure: Failure) -> String {
  if let error = error as? QuestionError { return error.message + "; " + error.requestHint }
  let what = failure.code == "repeated_option" ? withoutDashes(failure.what) : failure.what
  // An argument stands there in capitals.
  let place = failure.place.map { withoutDashes($0.uppercased() == $0 ? $0.lowercased() : $0) + ": " } ?? ""
  let near = failure.suggestions.isEmpty ? [] : ["did you mean \(failure.suggestions.joined(separator: " or "))?"]
  let hints = failure.hints.filter { !$0.hasPrefix("see: uptake ") }.map(parameterWords)
  return ([place + what] + near + hints).joined(separator: "; ")
}

extension QuestionError {
  fileprivate var requestHint: String {
    switch self {
    case .nothingStored: "send events to POST /v1/events"
    case .unknownApp(_, let known): "known apps: \(known.joined(separator: ", "))"
    case .whichApp(let known): "name one with app=…: \(known.joined(separator: ", "))"
    case .unknownRelease(_, _, let near):
      (near.isEmpty ? "" : "did you mean \(near.joined(separator: ", "))? ") + "GET /v1/answers/releases lists them"
    case .unknownChannel(_, let known):
      known.isEmpty ? "no channel is known yet" : "known channels: \(known.joined(separator: ", "))"
    case .unknownPlatform(_, let known):
      known.isEmpty ? "no device has named a platform yet" : "known platforms: \(known.joined(separator: ", "))"
    case .sameRelease: "name another release; GET /v1/answers/releases lists them"
    }
  }
}

private func withoutDashes(_ text: String) -> String { text.hasPrefix("--") ? String(text.dropFirst(2)) : text }

/// `--where osVersion=18` as `where=osVersion=18`: an option of a hint has its value behind it, but for one at the end of a clause.
private func parameterWords(_ text: String) -> String {
  var words: [String] = []
  var rest = text.split(separator: " ", omittingEmptySubsequences: false)[...]
  while let word = rest.popFirst() {
    let takesNext = word.hasPrefix("--") && word.last?.isLetter == true
    let value = takesNext ? rest.popFirst().map { "=" + $0 } : nil
    words.append(withoutDashes(String(word)) + (value ?? ""))
  }
  return words.joined(separator: " ")
}

/// A sign that must be escaped in a query often is not.
func requirePlus(_ name: String, _ text: String) throws(BadForm) {
  func signed(_ sign: String) -> String { text.map { $0 == " " ? sign : String($0) }.joined() }
  guard text.contains(" "), (try? Timestamp(rfc3339: text)) == nil, (try? Timestamp(rfc3339: signed("+"))) != nil else {
    return
  }
  throw BadForm(name, "\(name): a + means a space in a query; write %2B, as in \(name)=\(signed("%2B"))")
}
