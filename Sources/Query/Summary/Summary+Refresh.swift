import Lifecycle
import Store

extension Summary {
  /// Summarises every app anew of which events were folded, or releases announced, since it was summarised.
  ///
  /// Does nothing while events wait to be sorted, unless what is sorted is to be summarised without them: `EndedReleases` makes
  /// use of that. Reads beside everything else that goes on; what has become outdated meanwhile is not written. Answers
  /// whether there was nothing to wait for.
  ///
  /// - Parameters:
  ///   - whileEventsWait: what is sorted is summarised then.
  ///   - end: no further than this event then, where what was known at it can be told.
  @discardableResult
  public static func refresh(path: String, whileEventsWait: Bool = false, upTo end: Int64? = nil) throws -> Bool {
    try refresh(path: path, whileEventsWait: whileEventsWait, upTo: end, between: {})
  }

  /// - Parameter scans: called before each.
  static func refresh(
    path: String, whileEventsWait: Bool, upTo end: Int64? = nil, between scans: @escaping () throws -> Void
  ) throws -> Bool {
    var known: Moment?
    var apps: ArraySlice<String>?
    repeat {
      let snapshot = try Snapshot(path: path)
      guard let moment = try Moment(snapshot, whileEventsWait: whileEventsWait, upTo: end, after: known) else {
        return false
      }
      known = known ?? moment
      guard let (app, rest) = try nextOutdated(of: apps ?? snapshot.vocabulary.apps[...], snapshot, moment) else {
        break
      }
      apps = rest
      do { try summarise(snapshot, app, moment, scans) } catch is FreshSummary.Outdated { return false }
    } while apps?.isEmpty == false
    return !whileEventsWait && known?.isWhole == true
  }

  /// Whether every app has a summary, made of the releases and publications that there are now, whatever events came in since.
  public static func knowsReleases(path: String) throws -> Bool {
    let snapshot = try Snapshot(path: path)
    return try snapshot.vocabulary.apps.allSatisfy { app in
      try snapshot.earlierSummaryState(app: app)?.ground == Timeline(snapshot.vocabulary, app: app).ground
    }
  }

  /// With those that come after it.
  private static func nextOutdated(
    of apps: ArraySlice<String>, _ snapshot: borrowing Snapshot, _ moment: Moment
  ) throws -> (app: String, rest: ArraySlice<String>)? {
    for index in apps.indices where try isOutdated(snapshot, apps[index], moment) {
      return (apps[index], apps[(index + 1)...])
    }
    return nil
  }

  private static func isOutdated(_ snapshot: borrowing Snapshot, _ app: String, _ moment: Moment) throws -> Bool {
    let known = try moment.isWhole ? snapshot.summaryState(app: app) : snapshot.earlierSummaryState(app: app)
    guard let known, known.ground == Timeline(snapshot.vocabulary, app: app).ground else { return true }
    return !moment.isWhole && known.folded != moment.last
  }

  private static func summarise(
    _ snapshot: consuming Snapshot, _ app: String, _ moment: Moment, _ between: @escaping () throws -> Void
  ) throws {
    let timeline = Timeline(snapshot.vocabulary, app: app)
    let last = moment.isWhole ? nil : moment.last
    guard let fresh = try FreshSummary(&snapshot, app, timeline, upTo: last, between: between) else { return }
    let state = SummaryState(
      folded: moment.last, since: fresh.cutOff.at,
      until: timeline.next(from: fresh.cutOff.at) ?? FreshSummary.endOfTime,
      dataThrough: fresh.dataThrough, ground: timeline.ground)
    try snapshot.keep(state, fresh.parts, app: app)
  }
}

/// Up to which event a summary goes.
private struct Moment {
  let last: Int64
  /// Whether no event comes after it.
  let isWhole: Bool

  /// nil where there is something to wait for.
  ///
  /// - Parameter earlier: of another app before: events that came in since are left to the next time.
  init?(_ snapshot: borrowing Snapshot, whileEventsWait: Bool, upTo end: Int64?, after earlier: Moment?) throws {
    let whole = try snapshot.summarisable()
    let leavesOut = whileEventsWait || earlier != nil && snapshot.isFile && whole != earlier?.last
    guard let last = leavesOut ? snapshot.lastSorted(upTo: earlier?.last ?? end) : whole else { return nil }
    (self.last, isWhole) = (last, last == whole)
  }
}
