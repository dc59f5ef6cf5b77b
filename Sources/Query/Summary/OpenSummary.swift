public import Lifecycle
import Store

/// A summary of the newest releases alone, made anew again and again while events come in.
///
/// It knows what is sorted, and counts it at the cut-off of the instant that it is made at; what is left open is kept, so that later
/// cut-offs can be put in. Devices of which more is known than counts at its own cut-off are listed: a question looks at these, and
/// at those that were heard of since, and takes all others from here. See `OpenTables`.
public enum OpenSummary {
  /// - Parameter now: whose cut-off it is made at.
  public static func refresh(path: String, now: Timestamp) throws {
    let snapshot = try Snapshot(path: path)
    guard let last = snapshot.lastSorted else { return }
    let generation = try snapshot.generation()
    for app in snapshot.vocabulary.apps {
      let cutOff = CutOff(snapshot.vocabulary, app: app, now: now).at
      let timeline = Timeline(snapshot.vocabulary, app: app)
      guard let making = try OpenMaking(snapshot, app, timeline, cutOff, upTo: last) else { continue }
      let longest = cutOff + HeardSpan.longest
      let state = SummaryState(
        folded: last, since: cutOff, until: min(longest, timeline.next(from: cutOff) ?? longest),
        dataThrough: making.newest, ground: timeline.openGround)
      try snapshot.keep(state, making.parts, app: app, generation: generation, as: .open)
    }
  }
}

extension Timeline {
  /// All that an open summary rests on beside events, in words.
  var openGround: String { "open 1\n" + ground }

  /// The newest releases of each channel with those that they are held against.
  func open(at cutOff: Timestamp) -> [ReleaseRecord] {
    var found: Set<Int64> = []
    for channel in channels {
      let came = releases.compactMap { record in
        start(record.id, channel: channel, platform: nil).map { (at: $0.publishedAt, id: record.id) }
      }.filter { $0.at < cutOff }
      found.formUnion(came.sorted { ($0.at, $0.id) < ($1.at, $1.id) }.suffix(Self.newest).map(\.id))
    }
    return releases.filter { found.contains($0.id) }
  }

  private static let newest = 3
}

/// The columns of an open summary.
private struct OpenMaking {
  private(set) var parts: [SummaryPart] = []
  /// The last contact of all.
  let newest: Timestamp

  /// nil where no device has said anything, or nothing can be told of any release.
  init?(
    _ snapshot: borrowing Snapshot, _ app: String, _ timeline: Timeline, _ cutOff: Timestamp, upTo last: Int64
  ) throws {
    let vocabulary = snapshot.vocabulary
    guard !vocabulary.platforms(of: app).contains(""), !vocabulary.channels(of: app).contains("") else { return nil }
    let risk = RiskCounting(open: timeline.open(at: cutOff), vocabulary, app, timeline, cutOff)
    let targets = risk.targets.filter { risk.isTold($0.id) }
    if targets.isEmpty { return nil }
    let question = RiskCounting(open: targets, vocabulary, app, timeline, cutOff)
    let published = question.published
    var need = question.need
    need.last = last
    let tally = try snapshot.count(need) { OpenRiskTally(question, published) }
    guard let newest = tally.newest else { return nil }
    self.newest = Timestamp(rawValue: newest)
    for segment in tally.risk.segments where segment.stays > 0 {
      parts.append(SummaryPart(0, segment.group, SummaryPart.place, [Int64(segment.stays)]))
    }
    let own = Group(channel: "")
    parts.append(SummaryPart(0, own, SummaryPart.unsettled, tally.unsettled.sorted().map(Int64.init(bitPattern:))))
    parts.append(SummaryPart(0, own, SummaryPart.straddling, tally.straddling.map { [$0] } ?? []))
    parts += onAllCores(tally.risk.counters) { key, counter in
      SummaryPart.parts(
        RiskTable.merged([counter.cell]), waiting: counter.waiting ?? [], beyond: counter.beyond,
        release: targets[key.target].id, key.group)
    }.flatMap(\.self)
    parts += targets.flatMap { target in
      timeline.channels(of: target.id).map { channel in
        SummaryPart(target.id, Group(channel: channel), SummaryPart.ground, question.rules(of: target.id, on: channel).ground)
      }
    }
  }
}

extension SummaryPart {
  /// Devices of which more was known than counted at the cut-off.
  static let unsettled: Int64 = 80
  /// When the last run of contacts ended that had begun before the cut-off; nothing where none was found.
  static let straddling: Int64 = 81
  static let all = 0..<Int64.max
}

extension RiskCounting {
  /// With the cut-off left open.
  convenience init(
    open targets: [ReleaseRecord], _ vocabulary: Vocabulary, _ app: String, _ timeline: Timeline, _ cutOff: Timestamp
  ) {
    self.init(
      vocabulary, Selection(app: app, release: ReleaseLabel(rawValue: ""), now: cutOff), timeline, targets, [],
      cutOff: CutOff(at: cutOff), keepsWaiting: true)
  }

  /// Whether outlines tell what a device first said after a release was published.
  fileprivate func isTold(_ release: Int64) -> Bool {
    timeline.channels(of: release).allSatisfy { rules(of: release, on: $0).allSatisfy(\.areNewerLate) }
  }

  /// When the releases were published last, with those that count as newer: who said before that it runs one may say it again.
  fileprivate var published: [Int64: Int64] {
    var published: [Int64: Int64] = [:]
    for target in targets {
      for rules in timeline.channels(of: target.id).flatMap({ rules(of: target.id, on: $0) }) {
        for release in [rules.target] + rules.newerReleases {
          published[release] = max(published[release] ?? .min, rules.publishedAt)
        }
      }
    }
    return published
  }
}

/// What is counted for an open summary.
private struct OpenRiskTally: Tally {
  var risk: RiskTally
  private(set) var unsettled: [UInt64] = []
  private(set) var newest: Int64?
  private(set) var straddling: Int64?
  private let published: [Int64: Int64]

  init(_ question: RiskCounting, _ published: [Int64: Int64]) { (risk, self.published) = (RiskTally(question), published) }

  mutating func count(_ page: borrowing ShardPage) throws {
    try risk.count(page)
    let settling = Settling(at: risk.question.cutOff.at.rawValue, published: published)
    unsettled += try settling.unsettled(page)
    let (last, run) = try settling.ends(page)
    note(last, run)
  }

  private mutating func note(_ last: Int64?, _ run: Int64?) {
    if let last { newest = max(newest ?? last, last) }
    if let run { straddling = max(straddling ?? run, run) }
  }

  mutating func add(_ other: OpenRiskTally, times: Int) {
    precondition(times > 0, "nothing is taken out of a summary that is being made")
    risk.add(other.risk, times: times)
    unsettled += other.unsettled
    note(other.newest, other.straddling)
  }
}
