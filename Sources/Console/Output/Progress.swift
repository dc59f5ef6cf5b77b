/// A line on standard error that says how far long work has come. It appears after half a second, only on a terminal,
/// and is gone at the end.
public struct Progress {
  private let label: String
  private let unit: String?
  private let sink: Sink
  private let glyphs: Glyphs
  private let isShown: Bool
  private let clock: () -> Double
  private let start: Double
  private var drawn: Double?

  /// Without a unit it says how long the work has gone on. `clock` counts seconds from anywhere and never goes back.
  public init(
    _ label: String, unit: String?, on sink: Sink, glyphs: Glyphs, quiet: Bool = false,
    clock: @escaping () -> Double = secondsSinceStart
  ) {
    (self.label, self.unit, self.sink, self.glyphs, self.clock) = (label, unit, sink, glyphs, clock)
    isShown = sink.isTerminal && !quiet
    start = clock()
  }

  /// Says that `count` units are done, and which part of the whole that is, where the whole is known. Draws at most ten
  /// times a second, so it may be called often.
  public mutating func update(_ count: Int, fraction: Double? = nil) {
    guard isShown else { return }
    let now = clock()
    guard now - start > 0.5, drawn.map({ now - $0 >= 0.1 }) ?? true else { return }
    drawn = now
    // A terminal that has gone is no reason to stop the work.
    try? sink.write("\r\u{1B}[K" + line(count, fraction, elapsed: now - start))
  }

  /// Erases the line.
  public mutating func finish() {
    guard drawn != nil else { return }
    drawn = nil
    try? sink.write("\r\u{1B}[K")
  }

  private func line(_ count: Int, _ fraction: Double?, elapsed: Double) -> String {
    guard let unit else { return fitting([label, duration(seconds: elapsed.rounded(.down))]) }
    let rate = "\(grouped(Int(Double(count) / elapsed))) \(unit)/s"
    var parts = ["\(grouped(count)) \(unit)", rate]
    guard let fraction, fraction > 0 else { return fitting([label] + parts) }
    let part = min(1, fraction)
    parts.append("\(duration(seconds: (elapsed * (1 - part) / part).rounded())) left")
    let (full, empty) = glyphs.progress
    let cells = Int(part * 20)
    let bar = String(repeating: full, count: cells) + String(repeating: empty, count: 20 - cells)
    let percent = padded(decimal((part * 100).rounded(.down), 0) + "%", to: 4, .right)
    let whole = fitting([label, bar + " " + percent] + parts, isCut: false)
    return displayWidth(whole) < sink.columns ? whole : fitting([label, percent] + parts)
  }

  private func fitting(_ parts: [String], isCut: Bool = true) -> String {
    let line = parts.joined(separator: "  ")
    return isCut ? truncated(line, to: sink.columns - 1) : line
  }
}

private let origin = ContinuousClock.now

/// Seconds on a clock that never goes back.
public func secondsSinceStart() -> Double { (ContinuousClock.now - origin) / .seconds(1) }
