internal import Console
internal import Lifecycle
internal import Query
internal import Statistics

/// `✗ production 4.5.0  FAILING  25% rollout  12.4% fail (limit 4.8%)  → halt`
struct StatusLine: Sendable {
  private let row: Verdict
  private let app: String?
  private let now: Timestamp
  private let glyphs: Glyphs

  init(_ row: Verdict, app: String?, now: Timestamp, glyphs: Glyphs) {
    (self.row, self.now, self.glyphs, self.app) = (row, now, glyphs, app.map(harmless))
  }

  /// Of names, releases and words, so that lines stand below each other; a long name does not push the others away.
  static func widths(_ lines: [StatusLine], fitting width: Int = 80) -> [Int] {
    func widest(_ text: (StatusLine) -> String) -> Int { lines.map { displayWidth(text($0)) }.max() ?? 0 }
    let longest = width < 100 ? 24 : 48
    let (name, word) = (min(longest, widest { $0.name(atMost: longest) }), widest(\.word))
    // Mark, gaps, and what to do, which is never cut for a long label.
    let rest = 2 + name + 1 + 2 + word + 2 + widest(\.action)
    return [name, min(24, widest(\.release), max(shortestLabel, width - rest)), word]
  }

  /// Shorter, labels of nightly builds and hashes read alike.
  private static let shortestLabel = 12

  /// App and channel. The end of the app's name tells it from others of the same house, the beginning of a channel's from other channels.
  private func name(atMost width: Int) -> String {
    let channel = harmless(row.place)
    guard let app else { return truncated(channel, to: width) }
    if displayWidth(app) + 1 + displayWidth(channel) <= width { return "\(app) \(channel)" }
    let room = max(width - displayWidth(channel) - 1, width / 3)
    return "\(end(of: app, atMost: room)) \(truncated(channel, to: width - room - 1))"
  }

  private func end(of name: String, atMost room: Int) -> String {
    if displayWidth(name) <= room { return name }
    let dots = glyphs == .unicode ? "…" : "..."
    var end = Substring(name)
    while !end.isEmpty, displayWidth(dots + end) > room { end.removeFirst() }
    return dots + end
  }

  /// Where the terminal is narrow, what matters least is left out.
  func text(_ widths: [Int], fitting width: Int, colour: Bool) -> String {
    var left = details
    func line() -> String {
      ([
        "\(mark) \(padded(name(atMost: max(24, widths[0])), to: widths[0])) \(padded(truncated(release, to: widths[1]), to: widths[1]))"
      ]
        + [padded(word, to: widths[2])] + left.map(\.text) + [action]).joined(separator: "  ")
    }
    while displayWidth(line()) > width, let least = left.indices.max(by: { left[$0].rank < left[$1].rank }) {
      if let short = left[least].short {
        left[least] = Detail(text: short, rank: left[least].rank)
      } else {
        left.remove(at: least)
      }
    }
    let text = truncated(line(), to: width)
    return colour ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }

  private var release: String { harmless(row.release) }
  private var word: String { row.conditionWords.uppercased() }

  private var mark: String {
    switch row.decision {
    case .stop: glyphs == .unicode ? "✗" : "x"
    case .wait: glyphs == .unicode ? "●" : "o"
    case .goOn: glyphs == .unicode ? "✓" : "+"
    }
  }

  private func words(_ length: Milliseconds) -> String { duration(seconds: Double(length.rawValue) / 1000) }

  private var code: String {
    switch row.decision {
    case .stop: "31"
    case .wait: "33"
    case .goOn: "32"
    }
  }

  private var action: String {
    let arrow = glyphs == .unicode ? "→" : "->"
    return switch row.decision {
    case .stop: row.rolloutPercent == 0 ? "\(arrow) mend it" : "\(arrow) halt"
    case .wait where row.condition == .undone: "\(arrow) halt it?"
    case .wait where row.isHardlyRun: "\(arrow) does it start?"
    case .wait where row.isGivenToNobody: "\(arrow) is it given out?"
    case .wait where row.isTooSmall && !row.isLikelyHarmful: "\(arrow) decide by counts"
    case .wait: "\(arrow) " + (row.lookAgainAt.map { "look again in \(words($0 - now))" } ?? "nothing to do")
    case .goOn: "\(arrow) go on"
    }
  }

  private struct Detail {
    var text: String
    /// What stands in its place before it is left out.
    var short: String?
    /// The larger, the sooner it is left out.
    var rank: Int
  }

  private var details: [Detail] {
    var parts: [Detail] = []
    let rollout =
      row.isInferred
      ? "not registered"
      : row.rolloutPercent.map { "\(percent($0 / 100))% rollout" }
        ?? row.rolloutByPlatform.words.map { "rollout \($0)" }
    if let rollout { parts.append(Detail(text: rollout, rank: 2)) }
    if let figure { parts.append(figure) }
    if let running = row.stillRun?.running { parts.append(Detail(text: "\(grouped(running)) run it", rank: 2)) }
    if let share = row.observedShare, row.condition != .slow, row.condition != .belowObjective,
      rollout != nil
    {
      parts.append(Detail(text: words(ofAdoption: share), rank: 3))
    } else if let launched = row.launchedUncounted {
      parts.append(Detail(text: "\(grouped(launched)) launched it so far", rank: 3))
    }
    return parts
  }

  private func words(ofAdoption share: Double) -> String {
    row.observedReason == .clockFromOffer
      ? "adoption not known: \(grouped(row.events)) of \(grouped(row.devices)) offered it"
      : "\(Console.share(share)) of \(counted(row.devices, "device"))"
  }

  /// Who is to decide by counts is to see them.
  private var counts: Detail? {
    let counts = row.reasons.filter { $0.platform == nil }.compactMap { reason in
      reason.counts.flatMap { counts in reason.subject.verb.map { "\(counts) \($0)" } }
    }
    return counts.isEmpty ? nil : Detail(text: counts.joined(separator: ", "), short: counts[0], rank: 1)
  }

  /// The first reason's; where all is well, that of first attempts.
  private var figure: Detail? {
    if row.isTooSmall, !row.isLikelyHarmful, let counts { return counts }
    guard
      let reason = row.reasons.first(where: {
        $0.subject.verb != nil && $0.value?.value != nil && $0.condition == row.condition
      }),
      let value = reason.value?.value, let verb = reason.subject.verb
    else { return nil }
    let cell: Cell = reason.subject == .speed ? .points(value) : .share(value)
    let shown = reason.countsOfFew ?? cell.words(glyphs).value
    let (own, most) = (
      reason.platform.map { " on \(named($0))" } ?? "", reason.mostlyOn.map { ", mostly on \(named($0))" } ?? ""
    )
    let figure = "\(shown) \(verb)\(own)\(most)"
    guard let limit = reason.limit else { return Detail(text: figure, rank: 1) }
    return Detail(text: "\(shown) \(verb)\(own) (limit \(Console.share(limit)))\(most)", short: figure, rank: 1)
  }

  private func named(_ platform: String) -> String { platform.isEmpty ? "no platform" : harmless(platform) }
}

extension Verdict.Reason {
  /// One crash of three devices is not told as 33.3%.
  fileprivate var countsOfFew: String? { devices ?? .max < 100 ? counts : nil }

  fileprivate var counts: String? {
    guard subject.isHarm, let events, let devices else { return nil }
    return "\(grouped(events)) of \(grouped(devices))"
  }
}

extension Verdict.Subject {
  /// What the share is of; nil where there is none.
  fileprivate var verb: String? {
    switch self {
    case .publication, .data: nil
    case .firstAttempts: "fail"
    case .rollbacks, .lateRollbacks: "rolled back"
    case .crashes, .lateCrashes: "crash"
    case .silence: "fell silent"
    case .running: "went back"
    case .speed: "against before"
    case .objective: "in time"
    }
  }
}
