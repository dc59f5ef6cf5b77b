import Lifecycle
import Store

/// Where one device is and what it runs, at one instant after another; used for one device after another.
///
/// Instants are asked for in order, so each step looks only at what changed since the one before. What ended before the
/// first instant is dropped unless it can still decide. It says what a look at all runs says of each instant by itself:
/// Tests/QueryTests/ReachSweepTests.swift holds it against that.
struct ReachSweep {
  struct Piece {
    var channel: Int64
    var start: Int64
    var end: Int64
    var beginsStay: Bool
  }
  struct Statement {
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

  var pieces: [Piece] = []
  var statements: [Statement] = []
  var stays = Stays()
  var nextPiece = 0
  var nextStatement = 0
  var lastContact = Int64.min
  var channel: Int64 = 0
  /// Those that go on, and the last of those that have ended.
  var open: [Statement] = []
  var ended: Statement?
  var past: [Statement] = []
  /// What it ran when last asked, and until when nothing can change that.
  var known: (release: Int64, until: Int64) = (0, .min)
  var runs = RunColumns()
  var own = 0..<0

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
}
