internal import Console
internal import Lifecycle
internal import Query

extension ReleaseAnswers {
  /// When any device was heard of last, where the data are followed for hours beyond that: nobody knows what happened since.
  private var lastWord: Timestamp? {
    let end = min(facts.endedAt ?? facts.cutOff, facts.cutOff)
    return standing.adoption.dataThrough.flatMap { end - $0 > Verdict.stalest ? $0 : nil }
  }

  /// The same in seconds since the publication: from there on pictures are faint.
  var silentFrom: Double? {
    guard let heard = lastWord, let published = facts.publishedAt else { return nil }
    return Double(max(0, (heard - published).rawValue / 1000))
  }

  /// A sentence more, or empty.
  var silenceWords: HTML {
    lastWord.map {
      " No device was heard of since \(time($0)): what happened since is not known, and drawn faint."
    } ?? ""
  }
}
