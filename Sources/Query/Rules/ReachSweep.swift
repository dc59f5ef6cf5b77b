import Lifecycle
import Store

/// Where one device is and what it runs, at one instant after another; used for one device after another.
///
/// Instants are asked for in order, so each step looks only at what changed since the one before. What ended before the
/// first instant is dropped unless it can still decide. It says what a look at all runs says of each instant by itself:
/// Tests/QueryTests/ReachSweepTests.swift holds it against that.
struct ReachSweep {
  private struct Piece {
    var channel: Int64
    var start: Int64
    var end: Int64
    var beginsStay: Bool
  }
  private struct Statement {
    var start: Int64
    var end: Int64
    var claim: Claim
    var release: Int64

    /// Of two releases at one instant the last by name was said last.
    @inline(__always)
    func precedes(_ other: Statement, _ order: NameOrder) -> Bool {
      if end != other.end { return end < other.end }
      if claim != other.claim { return claim < other.claim }
      return release != other.release && order.release(release, precedes: other.release)
    }
  }

  private var pieces: [Piece] = []
  private var statements: [Statement] = []
  private var stays = Stays()
  private var nextPiece = 0
  private var nextStatement = 0
  private var lastContact = Int64.min
  private(set) var channel: Int64 = 0
  /// Those that go on, and the last of those that have ended.
  private var open: [Statement] = []
  private var ended: Statement?
  private var past: [Statement] = []
  /// What it ran when last asked, and until when nothing can change that.
  private var known: (release: Int64, until: Int64) = (0, .min)
  private var runs = RunColumns()
  private var own = 0..<0

  /// Goes to the runs of another shard.
  mutating func begin(_ runs: RunColumns) { self.runs = runs }

  /// The last contact of a device up to an instant, with silences as they were; `.min` where there is none.
  func newest(_ device: Int, until instant: Int64) -> Int64 { runs.newest(device, until: instant) ?? .min }

  /// Whether all that is known of a device comes before an instant.
  func ends(_ device: Int, before instant: Int64) -> Bool {
    runs.range(device).allSatisfy { runs.ends[$0] < instant }
  }

  /// Lets go of the shard's runs: the next shard is read into the room where they lie.
  mutating func end() { runs = RunColumns() }

  /// - Parameter first: no earlier instant will be asked for.
  mutating func load(_ device: Int, from first: Int64 = .min, until cutOff: Int64) {
    begin(device)
    guard let head = own.first, let tail = own.last else { return }
    if runs.kind(head).channel == runs.kind(tail).channel {
      channel = runs.kind(head).channel
      loadPieces(first, cutOff)
    } else {
      loadStays(device, cutOff)
    }
    loadStatements(first, cutOff)
  }

  /// By the spans of a device that always was in one channel: within one, every instant counts as a contact. Silences in
  /// it are shorter than `DeviceOutlines.longestSilence`, so no reach window that is as long can tell.
  mutating func load(spans devices: DeviceOutlines, _ device: Int, from first: Int64, until cutOff: Int64) {
    begin(device)
    channel = devices.channels[device]
    for span in devices.spanOffsets[device]..<devices.spanOffsets[device + 1] {
      let start = devices.spanStarts[span]
      guard start <= cutOff else { break }
      pieces.append(
        Piece(channel: channel, start: start, end: min(devices.spanEnds[span], cutOff), beginsStay: false))
    }
    loadStatements(first, cutOff)
  }

  private mutating func begin(_ device: Int) {
    pieces.removeAll(keepingCapacity: true)
    statements.removeAll(keepingCapacity: true)
    open.removeAll(keepingCapacity: true)
    (nextPiece, nextStatement, lastContact, ended) = (0, 0, .min, nil)
    known.until = .min
    own = runs.range(device)
  }

  /// Of a device that always was in one channel: what a day or less lies between is one piece.
  private mutating func loadPieces(_ first: Int64, _ cutOff: Int64) {
    let silence = ContactRun.longestSilence.rawValue
    for run in own where runs.starts[run] <= cutOff {
      let end = min(runs.ends[run], cutOff)
      if first != .min, end < first - silence {
        lastContact = max(lastContact, end)
      } else {
        insert(Piece(channel: channel, start: runs.starts[run], end: end, beginsStay: false))
      }
    }
    guard pieces.count > 1 else { return }
    var kept = 0
    for index in 1..<pieces.count {
      if pieces[index].start - pieces[kept].end <= silence {
        pieces[kept].end = max(pieces[kept].end, pieces[index].end)
      } else {
        kept += 1
        pieces[kept] = pieces[index]
      }
    }
    pieces.removeLast(pieces.count - kept - 1)
  }

  /// By start; runs come nearly in order.
  private mutating func insert(_ piece: Piece) {
    var index = pieces.count
    pieces.append(piece)
    while index > 0, pieces[index - 1].start > piece.start {
      pieces[index] = pieces[index - 1]
      index -= 1
    }
    pieces[index] = piece
  }

  private mutating func loadStays(_ device: Int, _ cutOff: Int64) {
    stays.load(runs, device, until: cutOff)
    for stay in stays.list {
      pieces.append(Piece(channel: stay.channel, start: stay.start, end: stay.start, beginsStay: true))
      for contact in stay.contacts {
        pieces.append(
          Piece(channel: stay.channel, start: stays.starts[contact], end: stays.ends[contact], beginsStay: false))
      }
    }
  }

  /// By start. Of what ended until the first instant only the last counts, and what may say when one that goes on last
  /// held: see `certain`.
  private mutating func loadStatements(_ first: Int64, _ cutOff: Int64) {
    past.removeAll(keepingCapacity: true)
    var earliest = Int64.max
    for run in own {
      let said = runs.kind(run)
      if said.claim == .silent { continue }
      let start = runs.starts[run]
      guard start <= cutOff else { continue }
      let statement = Statement(start: start, end: runs.ends[run], claim: said.claim, release: said.release)
      if statement.end > first {
        insert(statement)
        earliest = min(earliest, start)
      } else {
        note(ended: statement)
        if said.claim > .running { past.append(statement) }
      }
    }
    for index in past.indices where past[index].start > earliest { insert(past[index]) }
  }

  private mutating func insert(_ statement: Statement) {
    var index = statements.count
    statements.append(statement)
    while index > 0, statements[index - 1].start > statement.start {
      statements[index] = statements[index - 1]
      index -= 1
    }
    statements[index] = statement
  }

  @inline(__always)
  private mutating func note(ended statement: Statement) {
    if let ended, statement.precedes(ended, runs.order) { return }
    ended = statement
  }

  /// The instant of the last contact before or at an instant, `channel` being where that was; `.min` before the first.
  ///
  /// - Parameter instant: not before any that was asked about.
  @inline(__always)
  mutating func contact(at instant: Int64) -> Int64 {
    while nextPiece < pieces.count, pieces[nextPiece].start <= instant {
      let piece = pieces[nextPiece]
      if piece.beginsStay { (channel, lastContact) = (piece.channel, .min) }
      lastContact = max(lastContact, piece.end)
      nextPiece += 1
    }
    return min(lastContact, instant)
  }

  /// When the contact after the last one that was looked at begins; `.max` where there is none.
  var nextAt: Int64 { nextPiece < pieces.count ? pieces[nextPiece].start : .max }

  /// Until when the last contact that was looked at keeps it reachable; the next one may lie before that.
  func reachableUntil(_ window: Int64) -> Int64 { min(lastContact == .min ? .min : lastContact + window, nextAt) }

  /// Until when it runs what it was said to run at an instant, the last that was asked about.
  func runsItUntil(after instant: Int64) -> Int64 { max(known.until, instant + 1) }

  /// What it runs at an instant and at each later one, where nothing else is known of it after the instant but that it is still there,
  /// with silences of a day at most: it was heard of last when it was heard of last of all then. nil where more is known.
  ///
  /// - Parameter instant: from which it was loaded, without an end, as a device that always was in one channel.
  mutating func releaseToStay(from instant: Int64) -> Int64? {
    _ = contact(at: instant)
    guard nextPiece == pieces.count else { return nil }
    let release = release(at: instant)
    var next = instant
    while known.until != .max {
      next = max(known.until, next + 1)
      if self.release(at: next) != release || known.until < next { return nil }
    }
    return release
  }

  /// Whether it runs a release at an instant and at each later one; false where that is not sure.
  ///
  /// - Parameter instant: no later than any that it was loaded for, without an end.
  mutating func keeps(_ release: Int64, from instant: Int64) -> Bool {
    var next = instant
    while self.release(at: next) == release, known.until >= next {
      if known.until == .max { return true }
      next = max(known.until, next + 1)
    }
    return false
  }

  /// Whether another contact may belong to a run of contacts that says what it runs and began before it said something else: what it
  /// ran in between, and until that contact, is told by more than that run then; see `certain`.
  ///
  /// - Parameter release: what it runs.
  func mayGoBack(heardOf last: Int64, to release: Int64) -> Bool {
    var (begun, own, other, change) = (Int64.min, Int64.min, Int64.min, Int64.min)
    for run in self.own {
      let said = runs.kind(run)
      if said.claim == .running, said.release == release {
        if runs.ends[run] > own { (begun, own) = (runs.starts[run], runs.ends[run]) }
      } else if said.claim != .silent {
        if said.release != release { other = max(other, runs.ends[run]) }
        if said.claim > .running, said.release != release || said.claim == .rolledBack {
          change = max(change, runs.starts[run])
        }
      }
    }
    return own != .min && own >= last - ContactRun.longestSilence.rawValue && (own <= other || begun < change)
  }

  /// 0 where the device never said.
  ///
  /// - Parameter instant: not before any that was asked about.
  @inline(__always)
  mutating func release(at instant: Int64) -> Int64 {
    instant < known.until ? known.release : newRelease(at: instant)
  }

  private mutating func newRelease(at instant: Int64) -> Int64 {
    while nextStatement < statements.count, statements[nextStatement].start <= instant {
      open.append(statements[nextStatement])
      nextStatement += 1
    }
    settle(instant)
    var (latest, until) = (ended, nextStatement < statements.count ? statements[nextStatement].start : Int64.max)
    // At the very instant at which one ends, claims decide; a moment later time does.
    if ended?.end == instant { until = instant }
    var isOver = true
    for var statement in open {
      until = min(until, statement.end)
      statement.end = certain(statement, at: instant)
      if let known = latest, statement.precedes(known, runs.order) { continue }
      (latest, isOver) = (statement, false)
    }
    guard let latest else {
      known = (0, until)
      return 0
    }
    if latest.claim == .rolledBack {
      let release = restored(by: latest)
      // While a rollback goes on, each instant has an end of its own.
      if isOver { known = (release, until) }
      return release
    }
    known = (latest.release, until)
    return latest.release
  }

  /// Takes out of the open ones what has ended.
  private mutating func settle(_ instant: Int64) {
    var kept = 0
    for index in open.indices {
      let statement = open[index]
      if statement.end > instant {
        open[kept] = statement
        kept += 1
      } else {
        note(ended: statement)
      }
    }
    if kept < open.count { open.removeLast(open.count - kept) }
  }

  /// When the claim of one that goes on after the instant last held for certain: a run may span a change and come back
  /// to what it said.
  private func certain(_ statement: Statement, at instant: Int64) -> Int64 {
    var index = nextStatement - 1
    while index >= 0, case let other = statements[index], other.start > statement.start {
      if other.claim > .running,
        other.release != statement.release || other.claim == .rolledBack && statement.claim != .rolledBack
      {
        return statement.start
      }
      index -= 1
    }
    return instant
  }

  /// What a rollback leaves: the release of the last claim before it that was not rolled back since.
  private func restored(by rollback: Statement) -> Int64 {
    var latest: Statement?
    for run in own {
      guard let statement = statement(run, until: rollback.end), statement.claim != .rolledBack else { continue }
      if let known = latest, statement.precedes(known, runs.order) { continue }
      if !isLeft(statement, until: rollback.end) { latest = statement }
    }
    return latest?.release ?? 0
  }

  /// Whether the release of a claim was rolled back after it, up to an instant.
  private func isLeft(_ claim: Statement, until instant: Int64) -> Bool {
    own.contains { run in
      guard let other = statement(run, until: instant), other.claim == .rolledBack else { return false }
      return other.release == claim.release && other.end >= claim.end
    }
  }

  /// What a run says up to an instant; nil where it began later or says nothing.
  private func statement(_ run: Int, until instant: Int64) -> Statement? {
    let said = runs.kind(run)
    guard said.claim != .silent, runs.starts[run] <= instant else { return nil }
    return Statement(
      start: runs.starts[run], end: min(runs.ends[run], instant), claim: said.claim, release: said.release)
  }
}
