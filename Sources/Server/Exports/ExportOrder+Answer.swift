internal import HTTP
internal import Lifecycle
internal import Report

extension ExportOrder {
  /// What an answer means for what was sent.
  func reception(_ answer: OutboundAnswer, attempts: Int, now: Timestamp) -> Reception {
    target.reception(answer.status, attempts: attempts, isPage: ExportTarget.isPage(answer.body)) { name in
      guard name == "retry-after", let at = answer[name].flatMap(HTTPDate.instant) else { return answer[name] }
      return String(max(0, at.seconds - now.seconds))
    }
  }

  /// An answer in a line, without secrets. Nobody reads a page there.
  func words(_ answer: OutboundAnswer) -> String {
    if ExportTarget.isPage(answer.body) {
      return "\(answer.status) with a web page, which is no answer of \(target.title)"
    }
    return redaction("\(answer.status) \(answer.text.prefix(300))")
  }
}
