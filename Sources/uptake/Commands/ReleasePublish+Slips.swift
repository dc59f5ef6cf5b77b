internal import Answers
internal import Console
internal import Lifecycle
internal import Query

extension Invocation {
  /// Says what looks like a slip of the pen. Long ones have their commands on lines of their own, which may be pasted.
  func note(_ slip: PublicationSlip) throws {
    for line in "note: \(slip.words.text(words))".split(separator: "\n") { try noteOnce(String(line)) }
  }

  private func words(_ deed: SlipWords.Deed) -> String {
    switch deed {
    case .keepTime(let before): "add --at \(before.rfc3339)"
    case .withdraw(let publication): "\(pasted(publication.command(to: "withdraw")))"
    case .halt(let publication), .haltNow(let publication): "\(pasted(publication.command(to: "halt")))"
    case .register(let publication): "\(pasted(publication.command))"
    case .widen(let publication):
      "\(pasted(publication.widening(to: publication.rollout.last { $0.percent > 0 }?.percent ?? 100)))"
    }
  }
}
