internal import HTTP
internal import Report

extension ExportOrder {
  /// What an answer means for what was sent.
  func reception(_ answer: OutboundAnswer, attempts: Int) -> Reception {
    target.reception(
      answer.status, attempts: attempts, isPage: ExportTarget.isPage(answer.body), header: { answer[$0] })
  }

  /// An answer in a line, without secrets. Nobody reads a page there.
  func words(_ answer: OutboundAnswer) -> String {
    if ExportTarget.isPage(answer.body) {
      return "\(answer.status) with a web page, which is no answer of \(target.title)"
    }
    return redaction("\(answer.status) \(answer.text.prefix(300))")
  }
}
