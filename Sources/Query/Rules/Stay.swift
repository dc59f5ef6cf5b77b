import Lifecycle
import Store

/// A device's time in one channel; in milliseconds.
struct Stay {
  var channel: Int64
  /// The first contact in the channel.
  var start: Int64
  /// The first contact in the next channel; `.max` for the last stay.
  var end = Int64.max
  /// Which of the contacts that it came with are its own, in order of time.
  var contacts: Range<Int>

  func holds(_ instant: Int64) -> Bool { instant >= start && instant < end }
}

/// The stays of a device by its contact runs, up to a cutoff; used for one device after another.
///
/// Contacts are what a day or less of silence lies between, whatever they say. A visit to another channel splits the
/// contacts that it lies in. Of two channels at one instant the first by name came first. Tested against an object for each step in Tests/QueryTests/Oracle.
struct Stays {
  private(set) var list: [Stay] = []
  private(set) var starts: [Int64] = []
  private(set) var ends: [Int64] = []
  private var pieces: [Piece] = []

  private struct Piece {
    var channel, start, end: Int64
  }

  mutating func load(_ runs: RunColumns, _ device: Int, until cutOff: Int64) {
    list.removeAll(keepingCapacity: true)
    starts.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    loadPieces(runs, device, cutOff)
    var next = 0
    while next < pieces.count {
      let piece = pieces[next]
      next += 1
      guard let current = list.last, current.channel != piece.channel else {
        append(piece)
        continue
      }
      // A visit to another channel inside a piece: the rest of that piece follows the visit.
      if let last = ends.last, !current.contacts.isEmpty, last > piece.end {
        insert(Piece(channel: current.channel, start: piece.end, end: last), from: next)
      }
      close(at: piece.start)
      list.append(Stay(channel: piece.channel, start: piece.start, contacts: starts.count..<starts.count))
      append(piece)
    }
  }

  /// The last contact of a stay.
  func lastContact(_ stay: Stay) -> Int64 { stay.contacts.isEmpty ? stay.start : ends[stay.contacts.upperBound - 1] }

  private mutating func loadPieces(_ runs: RunColumns, _ device: Int, _ cutOff: Int64) {
    pieces.removeAll(keepingCapacity: true)
    for run in runs.range(device) where runs.starts[run] <= cutOff {
      pieces.append(
        Piece(channel: runs.kind(run).channel, start: runs.starts[run], end: min(runs.ends[run], cutOff)))
    }
    guard pieces.count > 1 else { return }
    pieces.sort { ($0.channel, $0.start) < ($1.channel, $1.start) }
    var kept = 0
    for index in pieces.indices.dropFirst() {
      if pieces[index].channel == pieces[kept].channel,
        pieces[index].start - pieces[kept].end <= ContactRun.longestSilence.rawValue
      {
        pieces[kept].end = max(pieces[kept].end, pieces[index].end)
      } else {
        kept += 1
        pieces[kept] = pieces[index]
      }
    }
    pieces.removeSubrange((kept + 1)...)
    pieces.sort { one, other in
      if (one.start, one.end) != (other.start, other.end) { return (one.start, one.end) < (other.start, other.end) }
      return runs.order.channel(one.channel, precedes: other.channel)
    }
  }

  private mutating func append(_ piece: Piece) {
    if list.isEmpty { list.append(Stay(channel: piece.channel, start: piece.start, contacts: 0..<0)) }
    starts.append(piece.start)
    ends.append(piece.end)
    let first = list[list.count - 1].contacts.lowerBound
    list[list.count - 1].contacts = first..<starts.count
  }

  private mutating func close(at instant: Int64) {
    let stay = list[list.count - 1]
    while starts.count > stay.contacts.lowerBound, let last = starts.last, last >= instant {
      starts.removeLast()
      ends.removeLast()
    }
    for contact in stay.contacts.lowerBound..<starts.count { ends[contact] = min(ends[contact], instant) }
    list[list.count - 1].end = instant
    list[list.count - 1].contacts = stay.contacts.lowerBound..<starts.count
  }

  private mutating func insert(_ piece: Piece, from next: Int) {
    let index = pieces[next...].firstIndex { $0.start > piece.start } ?? pieces.endIndex
    pieces.insert(piece, at: index)
  }
}
