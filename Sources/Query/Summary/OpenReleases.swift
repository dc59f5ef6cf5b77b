import Lifecycle
import Store

/// What an open summary tells of all but releases that ended: tables, counts, and which devices a question looks at by itself.
struct OpenReleases {
  var unsettled: Set<UInt64>
  /// Of these the ones that claimed a release before it was published.
  var early: [UInt64]
  /// The last contact of all.
  var newest: Int64?
  /// See `SummaryPart.straddling`.
  var straddling: Int64?
  /// Of tables, of what devices did with two releases, and where they are.
  var columns: [SummaryPart]
  /// Where it is counted what devices run; of releases that ended only that.
  var counts: [ReleaseCounts.Place: CountedRelease]

  /// All but the counts.
  var parts: [SummaryPart] {
    [
      (SummaryPart.unsettled, unsettled.sorted().map(Int64.init(bitPattern:))),
      (SummaryPart.straddling, straddling.map { [$0] } ?? []),
    ].map { SummaryPart(0, Group(channel: ""), $0, $1) } + columns
  }
}

extension OpenReleases {
  init(_ tally: OpenReleasesTally, _ scope: OpenScope, until: Timestamp) {
    (unsettled, early) = (Set(tally.unsettled), tally.early)
    (newest, straddling) = (tally.newest, tally.straddling)
    let risk = tally.catalogue.risk
    counts = scope.isWhole ? tally.catalogue.counts.counted(steadyAfter: scope.steadyAfter) : [:]
    columns = scope.columns(stays: risk.places) + risk.pairParts(until: until)
    columns += onAllCores(risk.counters) { key, counter in
      SummaryPart.parts(
        RiskTable.merged([counter.cell]), waiting: counter.waiting ?? [], beyond: counter.beyond,
        release: scope.targets[key.target].id, key.group, until: until)
    }.flatMap(\.self)
  }
}

extension OpenScope {
  /// - Parameter stays: by channel and platform.
  func columns(stays: [Group: Int]) -> [SummaryPart] {
    [SummaryPart(0, Group(channel: ""), SummaryPart.tabled, targets.map(\.id))]
      + stays.filter { $1 > 0 }.map { SummaryPart(0, $0, SummaryPart.place, [Int64($1)]) }
  }
}

extension RiskTally {
  var places: [Group: Int] { Dictionary(segments.map { ($0.group, $0.stays) }, uniquingKeysWith: +) }
}

extension OpenMoment {
  func countedReleases(_ scope: OpenScope, _ snapshot: borrowing Snapshot) throws -> OpenReleases {
    var need = scope.need
    need.last = last
    return OpenReleases(try snapshot.count(need) { scope.start }, scope, until: until)
  }
}
