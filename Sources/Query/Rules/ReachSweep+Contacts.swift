import Lifecycle
import Store

/// When it was heard of, and in which channel.
extension ReachSweep {
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

  /// Of a device that always was in one channel: what a day or less lies between is one piece.
  mutating func loadPieces(_ first: Int64, _ cutOff: Int64) {
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
  mutating func insert(_ piece: Piece) {
    var index = pieces.count
    pieces.append(piece)
    while index > 0, pieces[index - 1].start > piece.start {
      pieces[index] = pieces[index - 1]
      index -= 1
    }
    pieces[index] = piece
  }

  mutating func loadStays(_ device: Int, _ cutOff: Int64) {
    stays.load(runs, device, until: cutOff)
    for stay in stays.list {
      pieces.append(Piece(channel: stay.channel, start: stay.start, end: stay.start, beginsStay: true))
      for contact in stay.contacts {
        pieces.append(
          Piece(channel: stay.channel, start: stays.starts[contact], end: stays.ends[contact], beginsStay: false))
      }
    }
  }
}
