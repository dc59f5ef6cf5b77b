import Lifecycle
public import Store

/// What devices take and is not registered as of then, with the verdict of its own: the rows of its channel are about another release.
public struct JudgedStray: Sendable {
  public let stray: StrayPublication
  /// nil of what was withdrawn, which is to go on nowhere, and where too few devices tell.
  public let verdict: Verdict?

  /// Whether that is a row beside those of its channel.
  public var hasRow: Bool { verdict?.decision == .stop }

  /// Costs a verdict.
  ///
  /// - Parameters:
  ///   - isReplaced: whether devices took another one there after it: a build of one developer ends no stop.
  ///   - extent: of the question that names no release.
  init(
    _ stray: StrayPublication, isReplaced: Bool, _ snapshot: borrowing Snapshot, _ extent: FleetScope,
    _ options: Verdict.Options
  ) throws {
    self.stray = stray
    if case .withdrawn = stray.fault {
      verdict = nil
      return
    }
    let assumed = isReplaced ? stray.lacking : stray.assumed
    let vocabulary = assumed.map(snapshot.vocabulary.registering) ?? snapshot.vocabulary
    var scope = extent
    (scope.release, scope.channels) = (stray.release, [stray.channel])
    if let platform = stray.platform { scope.platforms = [platform] }
    let rows = try snapshot.ask(Verdict.Question(vocabulary, scope, options)).data
    let row = rows.first { $0.decision == .stop } ?? rows.first
    verdict = assumed == nil ? row : row?.unregistered
  }
}

extension Verdict {
  /// Without a release also what devices take and is not registered as of then, where its own verdict is stop: a row behind those of its
  /// channel. That costs a verdict of each such release, and nothing where there is none.
  public static func answer(
    _ snapshot: borrowing Snapshot, _ extent: FleetScope, _ options: Options = Options()
  ) throws -> Answer<Verdict> {
    try judged(snapshot, extent, options).answer
  }

  /// The same, and all that devices take and is not registered as of then, whatever its own verdict is.
  public static func judged(
    _ snapshot: borrowing Snapshot, _ extent: FleetScope, _ options: Options = Options()
  ) throws -> (answer: Answer<Verdict>, strays: [JudgedStray]) {
    var question = try Question(snapshot.vocabulary, extent, options)
    guard question.mayHaveStrays else { return (try snapshot.ask(question), []) }
    let ledger = Ledger()
    try snapshot.count([question.counts], into: ledger)
    let found = question.strays(ledger)
    let strays = try found.map { one in
      try JudgedStray(one, isReplaced: found.contains { $0.replaces(one) }, snapshot, extent, options)
    }
    question.judgedApart = strays.filter { $0.hasRow }.map { $0.stray }
    var answer = try snapshot.ask(question, ledger)
    for row in strays.compactMap({ $0.hasRow ? $0.verdict : nil }) { answer.data.add(apart: row) }
    return (answer, strays.filter { !answer.data.tell(of: $0.stray) })
  }

  /// As it is in truth, where it was judged by a publication that is not registered.
  fileprivate var unregistered: Verdict {
    var copy = self
    (copy.isInferred, copy.state, copy.rolloutByPlatform) = (true, .inferred, [])
    copy.rolloutPercent = nil
    return copy
  }
}

extension [Verdict] {
  /// Behind those of its channel, which say already what else devices run there; not where one is about the release on the same platforms.
  fileprivate mutating func add(apart row: Verdict) {
    guard let last = lastIndex(where: { $0.channel == row.channel }) else {
      append(row)
      return
    }
    if contains(where: { $0.channel == row.channel && $0.release == row.release && $0.platforms == row.platforms }) {
      return
    }
    var added = row
    added.othersStillRun = []
    insert(added, at: last + 1)
  }
}
