/// The product-limit estimate of S(t), the share that has not updated by t; adoption is F = 1 - S.
///
/// Of a million rows a few thousand waypoints are kept; what lies between two of them is counted again when asked for.
public struct KaplanMeier: Sendable {
  public let table: LifeTable
  /// Others end an interval like a censoring.
  let causes: CauseSet
  /// The first is the start.
  let waypoints: [Progress]
  let end: Progress
  /// Nowhere: nil.
  public let lost: Lost?
  public var lostFrom: Tick? { lost?.from }

  /// From where on nothing is estimated, and why.
  public struct Lost: Sendable {
    public let from: Tick
    public let reason: Unestimable
  }

  public init(_ table: LifeTable, events causes: CauseSet = .all) {
    var nobody = NoListener()
    self.init(table, causes, &nobody) { _ in }
  }

  /// - Parameter note: called at each waypoint and at the end.
  init<Listener: EventListener>(
    _ table: LifeTable, _ causes: CauseSet, _ listener: inout Listener, _ note: (inout Listener) -> Void
  ) {
    (self.table, self.causes) = (table, causes)
    var (progress, waypoints) = (Progress(), [Progress()])
    note(&listener)
    let runs = table.runs.span
    while progress.place < runs.count {
      progress.advance(
        runs, causes, steps: progress.steps + Self.stepsApart, end: progress.place + Self.runsApart, &listener)
      note(&listener)
      waypoints.append(progress)
    }
    if waypoints.count > 1 { waypoints.removeLast() }
    (self.waypoints, end, lost) = (waypoints, progress, progress.lost(in: table))
  }

  static let stepsApart = 128
  private static let runsApart = 512
}

extension KaplanMeier {
  /// Ticks with an event.
  public var steps: Int { end.steps }
  /// All together.
  public var events: Int64 { end.events }

  /// How things stand after the rows up to a tick, and at risk at the tick.
  func progress(to tick: Tick) -> (after: Progress, atRisk: Int64) {
    var nobody = NoListener()
    var progress = waypoints[waypoint(upTo: tick - 1)]
    let runs = table.runs.span
    progress.advance(runs, causes, to: tick - 1, &nobody)
    let atRisk = progress.place < runs.count ? progress.atRisk : 0
    progress.advance(runs, causes, to: tick, &nobody)
    return (progress, atRisk)
  }

  /// The last one of which a predicate, which is false and then true, does not hold yet; the start where there is none.
  func waypoint(before isBeyond: (Progress) -> Bool) -> Int {
    max(waypoints.partitioningIndex(where: isBeyond) - 1, 0)
  }

  /// The last one whose rows are all at a tick or before it.
  func waypoint(upTo tick: Tick) -> Int {
    waypoint { $0.place > 0 && Run.tick(table.runs[$0.place - 1]) > tick }
  }

  /// The steps at the waypoint after one.
  func stepsAfter(_ waypoint: Int) -> Int { following(waypoint).steps }

  /// How things stand at the waypoint after one.
  func following(_ waypoint: Int) -> Progress {
    waypoint + 1 < waypoints.count ? waypoints[waypoint + 1] : end
  }

  /// Counts step after step again, up to the waypoint after one; stops where told to.
  func replay(from waypoint: Int, _ look: (Progress) -> Bool) {
    var (progress, nobody) = (waypoints[waypoint], NoListener())
    let (last, causes) = (stepsAfter(waypoint), causes)
    // Taken once: the curve would be held and let go at each step.
    let runs = table.runs.span
    while progress.steps < last {
      progress.advance(runs, causes, steps: progress.steps + 1, &nobody)
      if !look(progress) { return }
    }
  }

  /// Why nothing can be said about a tick; nil when something can.
  ///
  /// After the last exit the curve is unknown, unless it has come down to 0 and nobody waits who was followed for less.
  func gap(at tick: Tick) -> Unestimable? {
    guard let last = table.lastTick, table.isAnybodyAtRisk else { return .nothingAtRisk }
    if tick > last, !end.isExhausted || lost?.reason == .enteredLater || tick > table.waitsBeyond {
      return .beyondFollowUp
    }
    return isLost(at: tick) ? lost?.reason : nil
  }

  func isLost(at tick: Tick) -> Bool { tick >= lostFrom ?? .max }

  /// How things stand at the end, or before what is lost.
  var known: Progress { lostFrom.map { progress(to: $0 - 1).after } ?? end }
}
