internal import Console
internal import Lifecycle
internal import Query

private extension Option {
  static let horizon = Option(
    "horizon", .duration, fallback: "72h", group: "STATISTICS", help: "The end of the restricted mean")
}

extension TimeToUpdate: ReleaseQuestion, Grouped {
  static let usage = Usage(
    "time-to-update", purpose: "Show how long devices take to get a release",
    discussion: """
      Survival analysis over all eligible devices: one that has not updated yet counts with the time it has waited so \
      far. Mechanisms compete for each device, so their shares add up to the whole.
      """,
    arguments: [.release],
    options: Option.slicing(Grouping.self) + [.mechanism] + Option.rules
      + [.quantiles, .horizon, .points(1000), .bands] + Option.precision,
    examples: [
      .init("Median and 90 % of a release", "uptake time-to-update 2.0.0"),
      .init("Per channel, as JSON", "uptake time-to-update 2.0.0 --by channel --format json"),
      .init("Figures without whole curves", "uptake time-to-update 2.0.0 --points 0 --json"),
      .init("Which mechanism delivered it, drawn", "uptake time-to-update 2.0.0 --by mechanism --format plot"),
    ], seeAlso: ["adoption", "compare", "help definitions"], next: "mechanisms")

  static func options(_ asked: Parameters, _ gates: [Gate]) throws -> Options {
    var options = Options()
    options.quantiles = asked.numbers(.quantiles)
    options.horizon = asked.milliseconds(.horizon) ?? options.horizon
    options.points = asked.integer(.points(1000)) ?? options.points
    options.bands = asked.choice(.bands) ?? options.bands
    return options
  }

  static func part(_ row: TimeToUpdate, of mechanisms: [String]) -> TimeToUpdate? {
    var part = row
    part.mechanisms = row.mechanisms.filter { mechanisms.contains($0.mechanism) }
    return part.mechanisms.isEmpty ? nil : part
  }

  static func isKnown(_ row: TimeToUpdate) -> Bool { row.counts.devices > 0 }

  static func notes(_ reply: Reply<TimeToUpdate>) -> [String] {
    var notes =
      reply.rows.map(\.counts).notes + reply.rows.compactMap(\.polled?.note)
      + reply.bandNotes(\.band)
    if reply.isByMechanism {
      notes.append(
        "times are until the mechanism had updated that share of all devices; mechanisms are not assigned at random, so"
          + " differences are not effects: uptake mechanisms")
    } else if reply.rows.count == 1, let seconds = reply.rows[0].stableUntilSeconds {
      // Where some enter late more may be watched again, and the curve rests on those few all the same.
      let isLate = reply.rows[0].counts.lateEntries > 0
      let few = isLate ? "it rests on fewer than 30 devices" : "fewer than 30 devices are still watched"
      notes.append("later than \(duration(seconds: Double(seconds))) \(few)")
    }
    return notes
  }

  /// A plot a group, or a plot a mechanism, all with the same axes.
  static func plots(_ reply: Reply<TimeToUpdate>) -> [Plot] {
    if reply.options.points == 0 { return [] }
    let end = reply.rows.flatMap { $0.curve.map(\.seconds) }.max() ?? 0
    func plot(_ title: String, _ points: [some Timed], _ row: TimeToUpdate) -> Plot {
      let caption = [title, reply.bandCaption].filter { !$0.isEmpty }.joined(separator: ", ")
      return Plot(caption, [.init(title, of: points, end: row.curve.last?.seconds ?? 0)], horizon: end)
    }
    let groups = GroupColumns(reply.groups.names.filter { $0 != mechanism })
    return reply.rows.flatMap { row in
      let title = groups.words(row.names)
      guard reply.isByMechanism else {
        if let polled = row.polled { return [Plot(title, [.init(title, polled)], horizon: end)] }
        return [plot(title, row.curve, row)]
      }
      return row.mechanisms.map { part in
        plot([title, part.mechanism].filter { !$0.isEmpty }.joined(separator: ", "), part.curve, row)
      }
    }.alike
  }

  fileprivate static let mechanism = Grouping.mechanism.rawValue
}

extension Reply<TimeToUpdate> {
  /// A line of the table is a group, or a mechanism in it: their shares of all devices add up.
  var isByMechanism: Bool { groups.names.contains(TimeToUpdate.mechanism) }
}
