internal import Answers
internal import Console
internal import Query
internal import Statistics

/// One frame of the screen as lines, none wider than the screen.
struct WatchFrame {
  var columns: Int
  var rows: Int
  var glyphs: Glyphs
  var colour: Bool

  /// - Parameters:
  ///   - problem: why there is no newer answer.
  ///   - footer: what keys do.
  func lines(_ picture: WatchPicture?, rate: Double?, problem: String?, footer: String?) -> [String] {
    let emulators = picture?.onlyEmulators.map { wrapped(harmless("! \($0)"), to: columns).map(plain) } ?? []
    let heading = [plain(heading(picture, rate))] + (problem.map { [plain("! \($0)")] } ?? []) + emulators
    let end = footer.map { [plain($0)] } ?? []
    let room = max(0, rows - heading.count - end.count)
    let body = picture.map { self.body($0, room) } ?? ["", plain("asking …")]
    return heading + body.prefix(room) + end
  }

  private func heading(_ picture: WatchPicture?, _ rate: Double?) -> String {
    let parts: [String?] = [
      "uptake watch", rate.map { "\(decimal($0, $0 < 100 ? 1 : 0)) events/s" },
      picture?.dataThrough.map { "newest contact \(Self.clock($0))" },
      picture?.generatedAt.map { "as of \(Self.clock($0).suffix(8)) UTC" },
    ]
    return parts.compactMap(\.self).joined(separator: "   ")
  }

  /// `2026-03-04T05:06:07.123Z` as `03-04 05:06:07`.
  private static func clock(_ instant: String) -> String {
    String(instant.dropFirst(5).prefix(14)).replacing("T", with: " ")
  }

  private func body(_ picture: WatchPicture, _ room: Int) -> [String] {
    guard let shown = picture.shown else {
      let lacking = picture.lacking ?? "no release is known yet: publish one with uptake release publish"
      return [""] + wrapped(harmless(lacking), to: columns).map(plain)
    }
    let top =
      [""] + channels(picture) + [""] + reasons(shown)
      + finding(picture.finding, beside: shown["channel"]?.word) + [""]
    let bottom = mechanisms(picture.mechanisms, launched: launched(shown) ?? 0) + failures(picture.failures)
    let plot = self.plot(picture.adoption, room - top.count - bottom.count)
    return top + plot + bottom
  }

  private func plain(_ text: String) -> String { truncated(harmless(text), to: columns) }
}

/// Verdicts and what they rest on.
extension WatchFrame {
  private static let mostChannels = 6

  private func channels(_ picture: WatchPicture) -> [String] {
    let first = max(0, min(picture.selected - Self.mostChannels + 1, picture.verdicts.count - Self.mostChannels))
    let shown = picture.verdicts.enumerated().dropFirst(first).prefix(Self.mostChannels).map { place, verdict in
      let isSelected = place == picture.selected
      return line(isSelected ? picture.shown ?? verdict : verdict, isSelected)
    }
    let left = picture.verdicts.count - shown.count
    return shown + (left > 0 ? [plain("  \(counted(left, "channel")) more")] : [])
  }

  private func line(_ verdict: JSON, _ isSelected: Bool) -> String {
    let decision = verdict["decision"]?.word.flatMap(Verdict.Decision.init(rawValue:))
    let condition = verdict["condition"]?.word ?? ""
    let likely = verdict["isLikelyHarmful"] == .bool(true) ? verdict["reasons"]?.elements.first?["subject"]?.word : nil
    let words =
      Verdict.Condition(rawValue: condition).map {
        Verdict.words(
          $0, likely: likely.flatMap(Verdict.Subject.init(rawValue:)), isTooSmall: verdict["isTooSmall"] == .bool(true))
      } ?? condition
    let parts: [String?] = [
      padded(place(verdict), to: 12), padded(verdict["release"]?.word ?? "", to: 8),
      words.uppercased(), rollout(verdict), observed(verdict),
    ]
    let pointer = isSelected ? (glyphs == .unicode ? "▸" : ">") : " "
    let text = plain("\(pointer) \(mark(decision)) " + parts.compactMap(\.self).joined(separator: "  "))
    return coloured(text, decision)
  }

  /// The channel, and the platforms where these are not all.
  private func place(_ verdict: JSON) -> String {
    let platforms = (verdict["platforms"]?.elements ?? []).compactMap(\.word)
    return (verdict["channel"]?.word ?? "") + Verdict.apart(platforms)
  }

  private func rollout(_ verdict: JSON) -> String? {
    if verdict["isInferred"] == .bool(true) { return "not registered" }
    let apart = (verdict["rolloutByPlatform"]?.elements ?? []).map {
      RolloutProgress.Part(platform: $0["platform"]?.word, percent: $0["percent"]?.double)
    }
    return verdict["rolloutPercent"]?.double.map { "\(decimal($0, $0.rounded() == $0 ? 0 : 1))% rollout" }
      ?? apart.words.map { "rollout \($0)" }
  }

  private func observed(_ verdict: JSON) -> String {
    let devices = verdict["devices"]?.count ?? 0
    let events = verdict["events"]?.count ?? 0
    if verdict["observedReason"]?.word == Unestimable.clockFromOffer.rawValue {
      return "adoption not known: \(grouped(events)) of \(grouped(devices)) offered it"
    }
    if devices == 0, let launched = launched(verdict), launched > 0 {
      return "\(grouped(launched)) launched it so far, adoption not counted yet"
    }
    let part = verdict["observedShare"]?.double.map { share($0) + ", " } ?? ""
    return "\(part)\(grouped(events)) of \(counted(devices, "device"))"
  }

  /// Launches are known until now, adoption up to the cutoff.
  private func launched(_ verdict: JSON) -> Int? {
    let crashes = verdict["reasons"]?.elements.first { $0["subject"]?.word == Verdict.Subject.crashes.rawValue }
    return crashes?["devices"]?.count
  }

  /// The weightiest; whole where there is room for that.
  private func reasons(_ verdict: JSON) -> [String] {
    (verdict["reasons"]?.elements ?? []).prefix(3).flatMap { reason in
      let decision = reason["decision"]?.word.flatMap(Verdict.Decision.init(rawValue:))
      let text = harmless(reason["sentence"]?.word ?? "")
      let lines = rows >= 32 ? wrapped(text, to: columns - 4) : [text]
      let shown = lines.count > 2 ? [lines[0], truncated(lines[1...].joined(separator: " "), to: columns - 4)] : lines
      return shown.enumerated().map { place, line in
        isOpen(reason)
          ? plain("  \(place == 0 ? glyphs == .unicode ? "·" : "." : " ") \(line)")
          : coloured(plain("  \(place == 0 ? mark(decision) : " ") \(line)"), decision)
      }
    }
  }

  /// Whether so few devices tell that what is below its limit may be above it as well: no tick for that.
  private func isOpen(_ reason: JSON) -> Bool {
    guard reason["decision"]?.word == Verdict.Decision.goOn.rawValue, let limit = reason["limit"]?.double,
      let highest = reason["value"]?["hi"]?.double
    else { return false }
    return highest >= limit
  }

  /// What holds updates up most, and where to read on.
  ///
  /// - Parameter channel: that is looked at: what is about another one is told as such.
  private func finding(_ finding: JSON?, beside channel: String?) -> [String] {
    guard let finding else { return [] }
    let other = finding["group"]?["channel"]?.word.flatMap { $0 == channel ? nil : " of \(harmless($0))" }
    let isProblem = finding["level"]?.word == Diagnosis.Level.problem.rawValue
    let text = "diagnose\(other ?? ""): " + harmless(finding["sentence"]?.word ?? "")
    return wrapped(text, to: columns - 4).prefix(rows >= 32 ? 2 : 1).enumerated().map { place, line in
      coloured(plain("  \(place == 0 ? "?" : " ") \(line)"), isProblem ? .stop : .wait)
    }
  }

  private func mark(_ decision: Verdict.Decision?) -> String {
    switch decision {
    case .stop: glyphs == .unicode ? "✗" : "x"
    case .wait, nil: glyphs == .unicode ? "●" : "o"
    case .goOn: glyphs == .unicode ? "✓" : "+"
    }
  }

  private func coloured(_ text: String, _ decision: Verdict.Decision?) -> String {
    guard colour else { return text }
    let code =
      switch decision {
      case .stop: "31"
      case .wait, nil: "33"
      case .goOn: "32"
      }
    return "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }
}

/// Curves and shares.
extension WatchFrame {
  /// Title, legend and axis take four lines.
  private func plot(_ adoption: JSON?, _ room: Int) -> [String] {
    guard let adoption, room >= 8, let own = series(adoption["curve"], adoption["release"]?.word ?? "", .solid) else {
      return []
    }
    let baseline = adoption["baseline"]
    let before = series(
      baseline?["curve"], "\(baseline?["release"]?.word ?? "") at the same age", .dotted)
    var plot = Plot(
      [own] + [before].compactMap(\.self), horizon: max(own.end, 3600), rows: min(16, room - (before == nil ? 4 : 5)))
    plot.title = "adoption, from when each device became eligible"
    return plot.text(width: min(columns, 120), glyphs: glyphs, colour: colour).split(
      separator: "\n", omittingEmptySubsequences: false
    ).dropLast().map(String.init) + [""]
  }

  private func series(_ curve: JSON?, _ name: String, _ stroke: Plot.Stroke) -> Plot.Series? {
    let points = curve?["points"]?.elements ?? []
    guard let end = points.last?["seconds"]?.double else { return nil }
    func steps(_ height: String) -> [Plot.Point] {
      points.compactMap { point in
        guard let x = point["seconds"]?.double, let y = point[height]?.double else { return nil }
        return Plot.Point(x: x, y: y)
      }
    }
    return Plot.Series(
      name, stroke, points: steps("value"), end: end,
      band: stroke == .solid ? (low: steps("lo"), high: steps("hi")) : nil)
  }

  /// What delivered the updates that were seen, with bars of their shares.
  ///
  /// - Parameter launched: devices that launched it up to now; updates are counted up to the cutoff.
  private func mechanisms(_ row: JSON?, launched: Int) -> [String] {
    let counts = (row?["eventsByMechanism"]?.fields ?? [:]).compactMapValues(\.count).filter { $0.value > 0 }
    let all = counts.values.reduce(0, +)
    guard all > 0 else {
      return [plain(launched > 0 ? "what brought the updates is not counted yet" : "no device has updated yet")]
    }
    let width = max(4, min(30, columns - 40))
    let (full, empty) = glyphs == .unicode ? ("█", "░") : ("#", ".")
    return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(5).map { name, count in
      let part = Double(count) / Double(all)
      let cells = Int((part * Double(width)).rounded())
      let bar = String(repeating: full, count: cells) + String(repeating: empty, count: width - cells)
      return plain("\(padded(name, to: 12)) \(bar) \(padded(share(part), to: 6, .right))  \(grouped(count))")
    }
  }

  private func failures(_ row: JSON?) -> [String] {
    guard let row, let attempts = row["attempts"]?.count else { return [] }
    guard attempts > 0 else { return failuresSoFar(row) }
    let rate = row["rate"]?["value"]?.double.map { ", \(share($0))" } ?? ""
    let previous = row["previous"].flatMap { previous in
      previous["rate"]?["value"]?.double.map { "; \(previous["release"]?.word ?? "") \(share($0))" }
    }
    return [
      "",
      plain(
        "first attempts failed: \(grouped(row["failed"]?.count ?? 0)) of \(grouped(attempts))\(rate)\(previous ?? "")"
          + words(row["reasons"])),
    ]
  }

  /// Where none is old enough to count: a failure is one at once.
  private func failuresSoFar(_ row: JSON) -> [String] {
    guard let failed = row["stopRule"]?["watchedFailures"]?.count, failed > 0 else { return [] }
    let watched = row["stopRule"]?["watched"]?.count ?? failed
    return [
      "",
      plain("first attempts failed so far: \(grouped(failed)) of \(grouped(watched))" + words(row["reasonsSoFar"])),
    ]
  }

  private func words(_ reasons: JSON?) -> String {
    let words = (reasons?.elements ?? []).prefix(4).map {
      "\(grouped($0["devices"]?.count ?? 0)) \($0["reason"]?.word ?? "")"
    }
    return words.isEmpty ? "" : ": " + words.joined(separator: ", ")
  }
}
