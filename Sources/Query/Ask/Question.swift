public import Lifecycle
public import Store

/// Something that is asked of all devices of an app: what has to be counted for it, and what it makes of that.
public protocol Question {
  associatedtype Row: Encodable & Sendable
  /// As commands and schemas name it.
  static var name: String { get }
  var scope: any Scope { get }
  var counts: Counts { get }
  func findings(_ ledger: Ledger) -> Findings<Row>
  /// What else has to be counted for findings as they turned out; mostly nothing.
  func more(_ findings: Findings<Row>, _ ledger: Ledger) -> Counts
  /// How often to ask for more; what was counted already costs no scan.
  static var looks: Int { get }
}

extension Question {
  public static var looks: Int { 1 }
  public func more(_ findings: Findings<Row>, _ ledger: Ledger) -> Counts { Counts([]) }
}

/// What an answer says beside what was asked.
public struct Findings<Row: Encodable & Sendable> {
  var rows: [Row]
  /// Groups too small to be shown.
  var withheld: [Withheld] = []
  var warnings: [Warning]
  /// The newest contact that was looked at.
  var dataThrough: Timestamp?
  var end: CutOff
  /// What was asked beyond the scope.
  var echo: [String: QueryEcho.Value] = [:]
}

/// What a question looks at.
public protocol Scope: Sendable {
  var now: Timestamp { get }
  /// nil for all apps.
  var chosenApp: String? { get }
  var only: [ProfileFilter] { get }
  var population: Population { get }
  var includesEmulators: Bool { get }
  func echo(_ end: CutOff) -> [String: QueryEcho.Value]
}

extension Snapshot {
  /// - Parameter ledger: what was counted of this snapshot before; what is not in it costs a scan.
  public func ask<Asked: Question>(_ question: Asked, _ ledger: Ledger? = nil) throws -> Answer<Asked.Row> {
    let ledger = Ledger(after: ledger)
    try count([question.counts], into: ledger)
    var found = question.findings(ledger)
    for _ in 0..<Asked.looks {
      let more = question.more(found, ledger)
      if more.all.isEmpty { break }
      try count([more], into: ledger)
      found = question.findings(ledger)
    }
    let scope = question.scope
    return Answer(
      Asked.name, generatedAt: scope.now, dataThrough: found.dataThrough,
      query: QueryEcho(
        scope.echo(found.end).merging(found.echo) { _, own in own }.merging(scope.population.echo) { $1 }),
      warnings: try unsaid(scope.only, app: scope.chosenApp)
        + populationWarnings(scope) + nodeWarnings(of: scope.chosenApp, now: scope.now) + question.tooNew(found.end)
        + [FleetSilence(found.end, newest: found.dataThrough)?.warning].compactMap(\.self) + found.warnings,
      data: found.rows, withheld: found.withheld)
  }
}
