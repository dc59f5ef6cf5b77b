internal import Console
public import Lifecycle
public import Store

/// Where the data end for an analysis: now, less the time that events usually need to arrive.
public struct CutOff: Equatable, Sendable {
  public var at: Timestamp
  /// The 99th percentile of (received − at) of what had arrived by the end of the day before, UTC, or by now where that
  /// is little, without what claims to be weeks old; less where the cutoff would go back. 0 where nothing says.
  public var lag: Milliseconds
  /// Most events came hours after they happened: they were loaded later, and their delay is not that of phones.
  public var isBackfilled = false
  /// Whether so few events arrived that a few late ones set the lag: it then says little of how late devices report.
  private(set) var isOfFew = false
  /// Where that takes off more than some minutes.
  public private(set) var few: Few?
  /// Where the cutoff lies more than a day back as many events come so late; one in a hundred or more.
  private(set) var late: Late?
  public private(set) var shiftedClocks: ShiftedClocks?
  /// What was received on each day, since 1970, that there was something.
  private(set) var days: [Int64: Day] = [:]
  private var arrivals: [ArrivalLag] = []

  public struct Few: Equatable, Sendable {
    /// More than ten minutes.
    public var late: Int
    public var of: Int
  }

  struct Late: Equatable, Sendable {
    /// More than a day, for certain.
    var events: Int
    /// That the lag goes by, without what claims to be weeks old.
    var of: Int
  }

  struct Day: Equatable, Sendable {
    var events: Int64 = 0
    /// Those that say no time, and may have been sent late.
    var timeless: Int64 = 0
  }

  static let longestLag: Int64 = 7 * 86_400
  /// Events that claim to be older were loaded, or a clock is wrong by years: they are not on their way. A few such devices
  /// would set the lag of the whole fleet.
  static let oldestArrival: Int64 = 28 * 86_400
  static let longestUsualLag: Int64 = 3600
  /// What a few events take off is told from here on: somebody may look at the first minutes of a release.
  static let longestUntold: Int64 = 600
  /// Delays are stored rounded up: what is stored as this may be less than a day, and what is above it is more.
  static let surelyADay: Int64 = 90_112

  /// Right at an instant.
  init(at instant: Timestamp) { (at, lag) = (instant, .seconds(0)) }

  /// Of a question: now where it looks at the newest hours as well.
  init(_ vocabulary: Vocabulary, _ selection: Selection) {
    self.init(vocabulary, app: selection.app, now: selection.now)
    if selection.isProvisional { (at, few, late) = (selection.now, nil, nil) }
  }

  public init(_ vocabulary: Vocabulary, app: String, now: Timestamp) {
    let today = now.seconds / 86_400
    let arrivals = vocabulary.lags.filter { $0.app == app && $0.day <= today }
    self.arrivals = arrivals
    for arrival in arrivals {
      days[arrival.day, default: Day()].events += arrival.events
      if !arrival.isKnown { days[arrival.day]?.timeless += arrival.events }
    }
    (at, lag) = (now, .seconds(0))
    guard !arrivals.isEmpty else { return }
    shiftedClocks = ShiftedClocks(arrivals, today: today)
    set(now, today)
  }

  /// The latest cutoff of this day and of the ends of the days before, so that it never goes back: what was complete once
  /// stays so, however late events get.
  private mutating func set(_ now: Timestamp, _ today: Int64) {
    let first = today - Self.longestLag / 86_400 - 1
    var (known, latest) = (Delays(arrivals.lazy.filter { $0.day < first }), Timestamp(rawValue: .min))
    var newest = known
    let byDay = Dictionary(grouping: arrivals.lazy.filter { $0.day >= first }, by: \.day)
    for day in first...today {
      let before = known
      known.add(byDay[day] ?? [])
      guard known.isAny else { continue }
      // What is still to come on a day must not move its cutoff.
      let delays = before.events >= Self.fewestEvents ? before : known
      isBackfilled = delays.percentile(0.5) > Self.longestUsualLag
      let lag = isBackfilled ? 0 : min(delays.percentile(0.99, within: Self.oldestArrival), Self.longestLag)
      newest = delays
      latest = max(latest, (day == today ? now : Timestamp(seconds: (day + 1) * 86_400)) - .seconds(lag))
    }
    (at, lag) = (latest, now - latest)
    isOfFew = known.events < Self.fewestEvents
    let late = known.events(later: Self.longestUntold)
    if isOfFew, late > 0, lag > .seconds(Self.longestUntold) { few = Few(late: Int(late), of: Int(known.events)) }
    if few == nil, lag > .seconds(Self.surelyADay) { self.late = newest.late }
  }

  /// Whether what was published then is out, and came after the cutoff: nothing that is counted up to there can tell of it.
  public static func isTooNew(_ published: Timestamp, _ cutOff: Timestamp, now: Timestamp) -> Bool {
    cutOff <= published && published < now
  }

  /// How far back what is not there is known not to be, for the end of a sentence.
  var untilWords: String { lag < .minutes(5) ? "" : " up to the cutoff, \(at.words)" }

  /// So many tell the 99th percentile.
  static let fewestEvents: Int64 = 1000
}

/// How late events came.
private struct Delays {
  /// By seconds.
  private var counts: [Int64: Int64] = [:]
  private(set) var events: Int64 = 0
  private(set) var isAny = false

  init(_ arrivals: some Sequence<ArrivalLag>) { add(arrivals) }

  mutating func add(_ arrivals: some Sequence<ArrivalLag>) {
    for arrival in arrivals {
      isAny = true
      guard arrival.isKnown else { continue }
      counts[arrival.late, default: 0] += arrival.events
      events += arrival.events
    }
  }

  func events(later seconds: Int64) -> Int64 { counts.reduce(0) { $1.key > seconds ? $0 + $1.value : $0 } }

  var late: CutOff.Late {
    let counts = counts.filter { $0.key <= CutOff.oldestArrival }
    func events(_ counts: [Int64: Int64]) -> Int { Int(counts.values.reduce(0, +)) }
    return CutOff.Late(events: events(counts.filter { $0.key > CutOff.surelyADay }), of: events(counts))
  }

  /// Of delays up to the longest; 0 where there are none.
  func percentile(_ share: Double, within longest: Int64 = .max) -> Int64 {
    let counts = self.counts.filter { $0.key <= longest }.sorted { $0.key < $1.key }
    let all = counts.reduce(0) { $0 + $1.value }
    var seen: Int64 = 0
    return counts.first { _, events in
      seen += events
      return Double(seen) >= share * Double(all)
    }?.key ?? 0
  }
}

extension CutOff {
  /// How much of what the app's devices reported happened soon after an event that is said to be the first.
  struct Beginning: Equatable {
    var soon: Int64
    var all: Int64
    static let window = Milliseconds.days(28)

    /// Of a fleet that began there much happens within four weeks: hardly anything says that the event's time is wrong,
    /// or that somebody made it up.
    var isDoubtful: Bool { all >= 10 && soon * 10 <= all && soon <= max(3, all / 100) }
  }

  /// By receipts and how late they were, which clients cannot choose; delays are stored rounded up, which doubts less.
  func beginning(at first: Timestamp) -> Beginning {
    let end = (first + Beginning.window).seconds
    return arrivals.filter { $0.isKnown && $0.day >= first.seconds / 86_400 }
      .reduce(into: Beginning(soon: 0, all: 0)) { sum, arrival in
        sum.all += arrival.events
        if arrival.day * 86_400 - arrival.late < end { sum.soon += arrival.events }
      }
  }
}
