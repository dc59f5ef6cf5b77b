internal import Console
internal import Lifecycle
internal import Query
internal import Statistics

private extension Option {
  static let history = Option(
    "history", .duration, group: "STATISTICS", help: "Tell also what devices ran so far back, in JSON")
}

extension Reach: ReleaseQuestion, Grouped {
  static let usage = Usage(
    "reach", purpose: "Show what share of reachable devices runs a release at the cutoff",
    discussion: """
      Of the devices in contact within the reach window, what they run at the cutoff: now, less the time in which 99 % of \
      events arrive. It falls when devices roll back or move on; for \
      the share that ever updated see adoption. Windows of 7 days and 1 day stand beside the one asked for.
      """,
    arguments: [.release],
    options: Option.slicing(DeviceGrouping.self) + [.reachWindow, .history, .provisional] + Option.precision
      + [.require("reach.lo>=0.5")],
    examples: [
      .init("Who runs it", "uptake reach 2.0.0"),
      .init("Since its publication, drawn", "uptake reach 2.0.0 --channel production --format plot"),
      .init("In a pipeline", "uptake reach 2.0.0 --require 'reach.lo>=0.5'"),
    ], seeAlso: ["adoption", "releases", "help definitions"], next: "adoption")

  static func options(_ asked: Parameters, _ gates: [Gate]) -> Options {
    var options = Options()
    options.history = asked.milliseconds(.history)
    return options
  }

  static func isKnown(_ row: Reach) -> Bool { row.reason == nil }

  static func notes(_ reply: Reply<Reach>) -> [String] {
    reply.rows.flatMap { row in
      [row.instantNote(now: reply.answer.generatedAt), row.runningNote, row.stepsNote, row.unknownNote].compactMap(
        \.self
      ).map { reply.prefix(row) + $0 }
    } + reply.provisionalNotes
  }

  /// Reach is not of the present where events are still on their way.
  private func instantNote(now: Timestamp) -> String? {
    guard at < now else { return nil }
    let behind = Console.duration(seconds: Double((now - at).rawValue) / 1000)
    return "as of \(at.words), \(behind) ago: 99 % of events arrive within that"
  }

  private var runningNote: String? {
    let known = running.prefix(6).map { "\($0.release ?? "unknown") \(share($0.share.value ?? 0))" }
    let more = running.count > 6 ? ["\(running.count - 6) more"] : []
    return known.isEmpty ? nil : "reachable devices run: " + (known + more).joined(separator: ", ")
  }

  /// The last point at each share that the rollout had come to.
  private var stepsNote: String? {
    let known = series.filter { $0.rolloutPercent != nil }
    let steps = known.indices.filter { index in
      index == known.count - 1 || known[index + 1].rolloutPercent != known[index].rolloutPercent
    }.map { known[$0] }
    guard steps.count > 1 else { return nil }
    let words = steps.map { point in
      "\(percent((point.rolloutPercent ?? 0) / 100))% \(point.exactly.share.value.map { share($0) } ?? "—")"
        + " of \(grouped(point.reachable))"
    }
    return "reach at the end of each rollout step: " + words.joined(separator: ", ")
  }

  private var unknownNote: String? {
    let unknown = windows.first?.eligible.unknown.flatMap(\.self) ?? 0
    guard unknown > 0 else { return nil }
    return "of \(counted(unknown, "device")) nobody knows whether the rollout had come to them: outside of eligible"
  }

  /// Reach by the release's age; dotted, the same among eligible devices.
  static func plots(_ reply: Reply<Reach>) -> [Plot] {
    reply.rows.map { row in
      let points = row.series.compactMap { point in point.ageSeconds.map { (age: $0, point: point) } }
        .filter { $0.age >= 0 }
      let end = points.last?.age ?? 0
      return Plot(
        reply.words(row),
        [
          .init("of reachable", of: points.map { ($0.age, $0.point.exactly.share) }, end: end),
          .init("of eligible", .dotted, of: points.map { ($0.age, $0.point.eligibleExactly.told) }, end: end),
        ], horizon: end)
    }.alike
  }
}
