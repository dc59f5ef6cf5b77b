internal import Console
public import Lifecycle
import Store

/// What arrived lately says that a fleet's clocks are wrong by hours, as where local times are sent as if they were UTC.
public struct ShiftedClocks: Equatable, Sendable {
  public enum Direction: Equatable, Sendable { case ahead, behind }
  public var direction: Direction
  /// The middle of those that are ahead; the least that everything is behind.
  public var shift: Milliseconds
  public var events: Int
  public var of: Int
  /// Whose receipts count.
  public var since: Timestamp

  /// Below so many events a few phones may be all there is.
  private static let fewest: Int64 = 50
  /// Phones that are on line send sooner.
  private static let soon: Int64 = 1800

  /// Today's and yesterday's receipts tell. nil where clocks are right, or too little arrived.
  init?(_ arrivals: [ArrivalLag], today: Int64) {
    let lately = arrivals.filter { $0.day >= today - 1 && $0.isKnown }.sorted { $0.seconds < $1.seconds }
    let all = lately.reduce(0) { $0 + $1.events }
    let ahead = lately.filter { $0.seconds < 0 }.reduce(0) { $0 + $1.events }
    guard all >= Self.fewest else { return nil }
    (of, since) = (Int(all), Timestamp(seconds: (today - 1) * 86_400))
    let first = Self.place(all / 100, lately)
    if ahead * 10 > all {
      (direction, events, shift) = (.ahead, Int(ahead), .seconds(-Self.place(ahead / 2, lately)))
    } else if first > Self.soon {
      // It was rounded up by an eighth at most.
      (direction, events, shift) = (.behind, Int(all), .seconds(first - first / 24))
    } else {
      return nil
    }
  }

  /// How late the event was before which there are so many that were less late.
  private static func place(_ before: Int64, _ sorted: [ArrivalLag]) -> Int64 {
    var seen: Int64 = 0
    return sorted.first {
      seen += $0.events; return seen > before
    }?.seconds ?? 0
  }
}

extension ShiftedClocks {
  public var words: String {
    switch direction {
    case .ahead:
      return "\(shareWords) of \(counted(of, "event")) received since \(since.words) say that they happened after their"
        + " receipt, by about \(lengthWords(shift)): are local times sent as UTC? What lies ahead of now does not count yet, and"
        + " times to update are longer than they were by as much; \(Self.remedy)"
    case .behind:
      return
        "all but 1% of \(counted(of, "event")) received since \(since.words) say that they happened about \(lengthWords(shift))"
        + " before their receipt, or longer: are local times sent as UTC, or does the app keep events so long? What happened since"
        + " is not known; \(Self.remedy)"
    }
  }

  private var shareWords: String { "\(decimal(Double(events) / Double(of) * 100, 1))%" }
  public static let remedy = "send times with a zone, and sentAt with each batch"
}
