import Store

/// What became of devices after they took a release: which fell silent, and which crashed late.
struct AftermathTally: Tally {
  private let question: AftermathCounting
  private(set) var silence: SilenceTally
  private(set) var crashes: LateCrashTally
  /// Whether a random part of the devices was looked at.
  var isSample: Bool { question.isSample }

  init(_ question: AftermathCounting) {
    (self.question, silence, crashes) = (question, SilenceTally(question), LateCrashTally(question))
  }

  mutating func count(_ page: borrowing ShardPage) throws {
    if question.asksSilence { try silence.count(page) }
    try crashes.count(page)
  }

  mutating func add(_ other: AftermathTally, times: Int) {
    silence.add(other.silence, times: times)
    crashes.add(other.crashes, times: times)
  }
}
