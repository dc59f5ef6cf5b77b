import Console
import Lifecycle
import Store

/// That no device was heard of for long, though many events were usual: what stopped may be the way that they come in.
struct FleetSilence: Equatable {
  var since: Timestamp
  /// Events of the same hours a day before.
  var usual: Int

  /// So long nothing may come in, and so many events must be usual in that time.
  static let (longest, fewest) = (Milliseconds.hours(1), 100)

  var warning: Warning {
    Warning(
      Warning.silentFleet,
      "no device was heard of since \(since.words), in which time some \(counted(usual, "event")) are usual: who updated"
        + " since counts as waiting, so adoption reads too low; look at what takes events in, and ask with --now \(since.rfc3339)"
    )
  }
}

extension Warning {
  /// Events stopped coming in.
  public static let silentFleet = "silent_fleet"
}

/// Whether the devices of an app fell silent before a cutoff; single events tell, and nobody is gone through for it.
final class SilenceCounting: Counting {
  private let app: String
  private let cutOff: Timestamp

  init(_ app: String, _ cutOff: Timestamp) { (self.app, self.cutOff) = (app, cutOff) }

  var need: Need { Need(app: app, .everybody) }
  var start: ImpossibleCounting.Nothing { ImpossibleCounting.Nothing() }
  func sum(_ tally: ImpossibleCounting.Nothing) -> Found { Found() }
  func covers(_ other: SilenceCounting) -> Bool { app == other.app && cutOff == other.cutOff }
  func sum(stored: Found, of wider: SilenceCounting) -> Found? { stored }

  func stored(_ snapshot: borrowing Snapshot) throws -> Found? {
    guard let found = try snapshot.silence(of: app, until: cutOff, longerThan: FleetSilence.longest),
      found.usual >= FleetSilence.fewest
    else { return Found() }
    return Found(silence: FleetSilence(since: found.since, usual: found.usual))
  }

  struct Found {
    var silence: FleetSilence?
  }
}

extension Snapshot {
  /// What is said of an answer where devices fell silent before its cutoff.
  ///
  /// - Parameter newest: contact that was looked at: where it is near the cutoff, nothing need be read.
  func silentFleet(_ scope: some Scope, _ end: CutOff, newest: Timestamp?, _ ledger: Ledger) throws -> [Warning] {
    guard let app = scope.chosenApp, let newest, end.at - newest > FleetSilence.longest else { return [] }
    let counting = SilenceCounting(app, end.at)
    try count([Counts(counting)], into: ledger)
    return ledger[counting].silence.map { [$0.warning] } ?? []
  }
}
