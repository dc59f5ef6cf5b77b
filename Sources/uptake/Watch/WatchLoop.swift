internal import Console

/// The live screen: paints what is new, reads keys, until somebody has seen enough.
struct WatchLoop {
  let desk: WatchDesk
  let glyphs: Glyphs
  let colour: Bool
  private var choice = WatchChoice()
  private var picture: WatchPicture?
  private var problem: String?
  private var version = 0
  private var shown: Shown?

  init(_ desk: WatchDesk, glyphs: Glyphs, colour: Bool) {
    (self.desk, self.glyphs, self.colour) = (desk, glyphs, colour)
  }

  mutating func run() {
    let screen = Screen()
    while !screen.isOver {
      desk.look(choice)
      take(desk.takeOutcome())
      paint(screen)
      for key in screen.keys(milliseconds: 250, bell: desk.bell) {
        if key == .quit { return }
        press(key)
      }
    }
  }

  private mutating func take(_ outcome: WatchDesk.Outcome?) {
    switch outcome {
    case .picture(let new): (picture, problem, version) = (new, nil, version + 1)
    case .problem(let words): problem = words
    case nil: return
    }
  }

  private mutating func press(_ key: Screen.Key) {
    let count = picture?.verdicts.count ?? 0
    switch key {
    case .quit: return
    case .channel(let step):
      guard count > 0 else { return }
      choice = WatchChoice(channel: ((choice.channel ?? picture?.selected ?? 0) + step + count) % count)
    case .release(let step):
      // From the channel that is seen, also where nobody chose it.
      choice = WatchChoice(channel: choice.channel ?? picture?.selected, release: max(0, choice.release + step))
    }
  }

  private mutating func paint(_ screen: borrowing Screen) {
    let shown = Shown(size: screen.size, rate: desk.rate, problem: problem, version: version)
    guard shown != self.shown else { return }
    self.shown = shown
    let size = shown.size
    let frame = WatchFrame(columns: size.columns, rows: size.rows, glyphs: glyphs, colour: colour)
    let lines = frame.lines(
      picture, rate: shown.rate, problem: problem,
      footer: "c: next channel   r: release before   R: release after   q: quit")
    screen.paint(lines)
  }

  /// What a frame depends on: it is only drawn again where that has changed.
  private struct Shown: Equatable {
    var size: ScreenSize
    var rate: Double?
    var problem: String?
    /// Of the picture, which is larger than it is worth to compare.
    var version: Int
  }
}
