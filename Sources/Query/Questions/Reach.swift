internal import Console
public import Lifecycle
public import Statistics
public import Store

/// What reachable devices run: prevalence, now and at past instants. It falls when devices roll back or move on, and is
/// not adoption, which is the share of devices that ever got the release.
public struct Reach: Encodable, Sendable {
  /// Some of the devices of a named denominator.
  public struct Part: Encodable, Sendable {
    /// Null where fewer than `minCell` are, as whoever they are is then told nowhere.
    @Nullable public var devices: Int?
    /// Null where these are so few.
    @Nullable public var of: Int?
    /// `reachable`: in contact within the window. `eligible`: of these, those whom the rollout let have the release.
    public var denominator: String
    public var share: Estimate
  }
  public struct Eligible: Encodable, Sendable {
    @Nullable public var devices: Int?
    /// Reachable devices of which nobody knows whether the rollout had come to them; outside the denominator.
    @Nullable public var unknown: Int?
    public var exactly: Part
    public var orNewer: Part
  }
  public struct Window: Encodable, Sendable {
    public var seconds: Int64
    public var reachable: Int
    public var exactly: Part
    public var orNewer: Part
    public var older: Part
    /// In contact, but they never said what they run.
    public var unknown: Part
    public var eligible: Eligible
  }
  public struct Running: Encodable, Sendable {
    /// Null for devices that never said.
    @Nullable public var release: String?
    public var devices: Int
    public var share: Estimate
  }
  /// What reachable devices ran at a past instant.
  public struct Past: Encodable, Sendable {
    public var at: Timestamp
    public var reachable: Int
    public var running: [Running]
    public var runningWithheld: Int
  }
  public struct Point: Encodable, Sendable {
    public var at: Timestamp
    /// Since the first publication of the group; negative before it.
    @Nullable public var ageSeconds: Int64?
    /// How far the rollout had come; null before the publication and where platforms differ.
    @Nullable public var rolloutPercent: Double?
    public var reachable: Int
    public var exactly: Part
    public var orNewer: Part
    public var eligibleExactly: Part
  }

  public var group: Group
  public var release: String
  public var at: Timestamp
  public var publications: [PublicationRow]
  /// The reach window asked for, then 7 days and 1 day where not too few were in contact.
  public var windows: [Window]
  /// The reachable devices by what they run, most first.
  public var running: [Running]
  /// Releases that too few of them run to be shown.
  public var runningWithheld: Int
  /// What they ran before, at round instants when not too few were in contact; empty unless asked for.
  public var history: [Past]
  public var series: [Point]
  @Nullable public var reason: String?
}

extension Reach: AskedOfRelease {
  public struct Options: QuestionOptions {
    /// Points of the series beside the steps of the rollout.
    public var points = 24
    /// How far back to tell what devices ran; nil for not at all.
    public var history: Milliseconds?
    public init() {}

    /// The most steps of the history.
    static let historySteps = 45

    func past(until cutOff: Timestamp) -> [Timestamp] {
      guard let history else { return [] }
      let step = ReachGrid.step(over: history, points: Self.historySteps)
      return ReachGrid.instants(step, after: max(cutOff - history, Timestamp(rawValue: 0)), before: cutOff) + [cutOff]
    }
  }

  public struct Question: ReleaseAsking {
    public static let name = "reach"
    let chosen: ReleaseScope
    let options: Options
    private let end: CutOff
    private let starts: ReachStarts
    private let standings: ReachCounting
    private let misspelt: [Warning]

    public init(_ vocabulary: Vocabulary, _ chosen: ReleaseScope, _ options: Options = Options()) {
      (self.chosen, self.options) = (chosen, options)
      end = CutOff(vocabulary, chosen.selection)
      starts = ReachStarts(vocabulary, chosen)
      misspelt = Warning.misspelt(
        vocabulary, app: chosen.selection.app, now: chosen.selection.now, [chosen.target.label.rawValue])
      var windows = [chosen.selection.reachWindow]
      for more in [Milliseconds.days(7), .days(1)] where !windows.contains(more) { windows.append(more) }
      standings = ReachCounting(
        vocabulary, chosen, windows: windows, instants: starts.instants(until: end.at, options.points),
        past: options.past(until: end.at), cutOff: end.at)
    }

    public var scope: any Scope { chosen.selection }
    public var counts: Counts { Counts(standings) }

    public func findings(_ ledger: Ledger) -> Findings<Reach> {
      let (selection, tally) = (chosen.selection, ledger[standings])
      var cells = tally.groups
      if cells.isEmpty, selection.by.allSatisfy({ $0 == .mechanism }) { cells[Group()] = standings.empty }
      let (shown, withheld) = selection.sifted(cells.sorted { $0.key < $1.key }) { ($0.key, $0.value.now[0].reachable) }
      return Findings(
        rows: shown.map { Reach($0.key, $0.value, standings, starts) }, withheld: withheld,
        warnings: publicationWarnings(starts.starts, chosen, isEmpty: tally.newest == nil)
          + doubtfulWarnings(
            [selection.release.rawValue: starts.starts.values.filter(\.isInferred).map(\.publishedAt).min()], end)
          + misspelt + elsewhere(tally) + cutOffWarnings(end),
        dataThrough: tally.newest, end: end,
        echo: [
          "provisional": .flag(selection.isProvisional),
          "windowSeconds": .numbers(standings.windows.map { $0.rawValue / 1000 }),
          "historySeconds": options.history.map { .integer($0.rawValue / 1000) } ?? .none,
        ])
    }
  }
}

extension Reach.Question {
  /// Reach is told by channel elsewhere: devices on a channel that the release never came to cannot run it.
  private func elsewhere(_ tally: ReachSum) -> [Warning] {
    let channels = tally.elsewhere.filter { $0.value > 0 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    if channels.isEmpty { return [] }
    let small = chosen.selection.smallGroups
    let words = channels.prefix(3).map { channel, devices in
      "\(named(channel)) (\(small.told(devices).map { counted($0, "device") } ?? "fewer than \(small.minCell) devices"))"
    }
    let more = channels.count > 3 ? " and \(channels.count - 3) more" : ""
    let own = chosen.timeline.channels(of: chosen.target.id).sorted().joined(separator: ",")
    return [
      Warning(
        "other_channels",
        "\(named(chosen.target.label.rawValue)) is not published on \(words.joined(separator: ", "))\(more), whose reachable devices count here"
          + " all the same, so reach is not that of its own channel: ask with \(ShellCommand("--channel").argument(own))"
      )
    ]
  }
}

extension ReachCounting: Counting {
  var start: ReachTally { ReachTally(self) }

  func sum(_ tally: ReachTally) -> ReachSum {
    ReachSum(groups: tally.groups, elsewhere: tally.elsewhere, newest: tally.newest.at)
  }
}

extension Reach.Part {
  /// Whether it is a part of those alone that are known to have been offered the release: nobody knows who else may have it.
  public var isOfOffered: Bool { share.reason == .clockFromOffer }

  /// The share as it is shown: none where it is of those alone.
  public var told: Estimate {
    var told = share
    if isOfOffered { told.value = nil }
    return told
  }
}
