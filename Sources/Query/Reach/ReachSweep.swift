import Lifecycle
import Store

/// Where one device is and what it runs, at one instant after another; used for one device after another.
///
/// It says what a look at all runs says of each instant by itself: Tests/QueryTests/ReachSweepTests.swift holds it against that.
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

    func precedes(_ other: Statement) -> Bool {
      (end, claim, release) < (other.end, other.claim, other.release)
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

  mutating func load(_ runs: RunColumns, _ device: Int, until cutOff: Int64) {
    pieces.removeAll(keepingCapacity: true)
    statements.removeAll(keepingCapacity: true)
    open.removeAll(keepingCapacity: true)
    (nextPiece, nextStatement, lastContact, ended) = (0, 0, .min, nil)
    let own = runs.range(device)
    guard let first = own.first, let last = own.last else { return }
    if runs.kind(first).channel == runs.kind(last).channel {
      readPieces(runs, own, cutOff)
    } else {
      readStays(runs, device, cutOff)
    }
    for run in own where runs.starts[run] <= cutOff {
      let said = runs.kind(run)
      guard said.claim != .silent else { continue }
      statements.append(
        Statement(start: runs.starts[run], end: runs.ends[run], claim: said.claim, release: said.release))
    }
    statements.sort { $0.start < $1.start }
  }

  /// Of a device that always was in one channel: what a day or less lies between is one piece.
  private mutating func readPieces(_ runs: RunColumns, _ own: Range<Int>, _ cutOff: Int64) {
    let channel = runs.kind(own.lowerBound).channel
    for run in own where runs.starts[run] <= cutOff {
      pieces.append(
        Piece(channel: channel, start: runs.starts[run], end: min(runs.ends[run], cutOff), beginsStay: false))
    }
    guard !pieces.isEmpty else { return }
    pieces.sort { $0.start < $1.start }
    var kept = 0
    for index in 1..<pieces.count {
      if pieces[index].start - pieces[kept].end <= ContactRun.longestSilence.rawValue {
        pieces[kept].end = max(pieces[kept].end, pieces[index].end)
      } else {
        kept += 1
        pieces[kept] = pieces[index]
      }
    }
    pieces.removeSubrange((kept + 1)...)
    pieces[0].beginsStay = true
  }

  private mutating func readStays(_ runs: RunColumns, _ device: Int, _ cutOff: Int64) {
    stays.load(runs, device, until: cutOff)
    for stay in stays.list {
      pieces.append(Piece(channel: stay.channel, start: stay.start, end: stay.start, beginsStay: true))
      for contact in stay.contacts {
        pieces.append(
          Piece(channel: stay.channel, start: stays.starts[contact], end: stays.ends[contact], beginsStay: false))
      }
    }
  }

  /// The instant of the last contact before or at an instant, `channel` being where that was; nil before the first.
  ///
  /// - Parameter instant: not before any that was asked about.
  mutating func contact(at instant: Int64) -> Int64? {
    while nextPiece < pieces.count, pieces[nextPiece].start <= instant {
      let piece = pieces[nextPiece]
      if piece.beginsStay { (channel, lastContact) = (piece.channel, .min) }
      lastContact = max(lastContact, piece.end)
      nextPiece += 1
    }
    return nextPiece == 0 ? nil : min(lastContact, instant)
  }

  /// 0 where the device never said.
  ///
  /// - Parameter instant: not before any that was asked about.
  mutating func release(at instant: Int64) -> Int64 {
    while nextStatement < statements.count, statements[nextStatement].start <= instant {
      open.append(statements[nextStatement])
      nextStatement += 1
    }
    var latest = settle(instant)
    for var statement in open {
      statement.end = certain(statement, at: instant)
      if let known = latest, statement.precedes(known) { continue }
      latest = statement
    }
    guard let latest else { return 0 }
    return latest.claim == .rolledBack ? restored(by: latest) : latest.release
  }

  /// Takes out of the open ones what has ended.
  private mutating func settle(_ instant: Int64) -> Statement? {
    var kept = 0
    for index in open.indices {
      let statement = open[index]
      if statement.end > instant {
        open[kept] = statement
        kept += 1
      } else if !(ended.map(statement.precedes) ?? false) {
        ended = statement
      }
    }
    if kept < open.count { open.removeSubrange(kept...) }
    return ended
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

  /// What ran before the release that was rolled back.
  private func restored(by rollback: Statement) -> Int64 {
    var latest: Statement?
    for var statement in statements[..<nextStatement]
    where statement.start <= rollback.end && statement.claim != .rolledBack && statement.release != rollback.release {
      statement.end = min(statement.end, rollback.end)
      if let known = latest, statement.precedes(known) { continue }
      latest = statement
    }
    return latest?.release ?? 0
  }
}
