import Foundation
import Ingest
import Lifecycle
import Store
import Testing

@testable import Answers

/// Two things that a device said at one instant: what counts is decided by their names, not by what arrived first.
struct TieTests {
  /// On two channels at once, on two releases at once, and both before and after that.
  private static let lines = [
    ("a", "check", "1.0", "beta", "01T00:00:00"), ("a", "check", "2.0", "alpha", "01T00:00:00"),
    ("b", "check", "1.0", "beta", "01T00:00:00"), ("b", "check", "2.0", "beta", "01T00:00:00"),
    ("c", "check", "1.0", "alpha", "01T00:00:00"), ("c", "applied", "2.0", "alpha", "02T00:00:00"),
    ("c", "applied", "1.0", "alpha", "02T00:00:00"),
    ("d", "check", "1.0", "alpha", "01T00:00:00"), ("d", "applied", "2.0", "beta", "02T00:00:00"),
    ("d", "applied", "1.0", "alpha", "02T00:00:00"), ("d", "check", "1.0", "beta", "02T12:00:00"),
    ("e", "applied", "2.0", "alpha", "01T00:00:00"), ("e", "applied", "1.0", "alpha", "01T00:00:00"),
    ("e", "check", "1.0", "alpha", "03T00:00:00"), ("e", "rolledBack", "2.0", "alpha", "03T00:00:00"),
    ("e", "rolledBack", "1.0", "alpha", "03T00:00:00"),
  ].map { device, stage, release, channel, at in
    """
    {"device":"\(device)","stage":"\(stage)","release":"\(release)","channel":"\(channel)","platform":"ios",\
    "at":"2025-03-\(at)Z"}
    """
  }

  private static let questions: [[String]] = [
    ["releases"], ["reach", "1.0", "--by", "channel"], ["reach", "2.0", "--history", "3d"], ["channels"],
    ["adoption", "2.0", "--by", "channel"], ["adoption", "1.0", "--by", "channel", "--censor", "last-seen"],
    ["failures", "2.0"], ["suspects", "2.0"], ["funnel", "1.0"], ["diagnose"], ["verdict"],
  ]

  @Test(arguments: [false, true]) func orderOfArrivalDecidesNothing(_ isFolded: Bool) throws {
    let orders = [Self.lines, Self.lines.reversed(), Self.lines.filter { $0.contains("2.0") } + Self.lines]
    let answers = try orders.map { lines in
      let database = try Database(lines.joined(separator: "\n"))
      if isFolded { _ = try EventLog(path: database.path).foldAll() }
      return try Self.questions.map { words in
        try ask(words + ["--now", "2025-03-05T00:00:00Z"], Snapshot(path: database.path))
      }
    }
    for (question, (first, (second, third))) in zip(Self.questions, zip(answers[0], zip(answers[1], answers[2]))) {
      #expect(first == second, "\(question)")
      #expect(first == third, "\(question)")
    }
  }
}
