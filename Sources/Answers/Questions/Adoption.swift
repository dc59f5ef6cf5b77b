internal import Console
internal import Lifecycle
public import Query
internal import Statistics

private extension Option {
  static let at = ages("1h,6h,24h,72h,168h")
}

extension Adoption: ReleaseQuestion {
  static let usage = Usage(
    "adoption", purpose: "Show what share of devices had updated by some ages",
    discussion: """
      Of the eligible devices, each from when it became eligible, the share that had updated by then, beside the release \
      before at the same ages. It never falls; for what devices run now see reach.
      """,
    arguments: [.release],
    options: Option.slicing(DeviceGrouping.self) + [.at, .baseline, .points(300), .provisional, .bands] + Option.rules
      + Option.precision + [.require("adoption@24h.lo>=0.40")],
    examples: [
      .init("Beside the release before, drawn", "uptake adoption 2.0.0 --format plot"),
      .init("After one day, per platform", "uptake adoption 2.0.0 --at 24h --by platform"),
      .init("In a pipeline", "uptake adoption 2.0.0 --require 'adoption@24h.lo>=0.40'"),
    ], seeAlso: ["reach", "time-to-update", "compare"])

  static func options(_ asked: Parameters, _ gates: [Gate]) throws -> Options {
    var options = Options()
    options.ages = asked.ages(.at, with: gates)
    options.baseline = asked.baseline
    options.points = asked.integer(.points(300)) ?? options.points
    options.bands = asked.choice(.bands) ?? options.bands
    return options
  }

  static func isKnown(_ row: Counted<Adoption>) -> Bool { row.counts.devices > 0 }

  /// `4.4.0 on production, published 2025-06-20 09:00 UTC`.
  static func heading(_ reply: Reply<Adoption>) -> [String] {
    let plain = reply.rows.flatMap(\.publications)
    let areApart = Dictionary(grouping: plain, by: \.channel).values.contains { Set($0.map(\.publishedAt)).count > 1 }
    let publications = Set(areApart ? reply.rows.flatMap(\.placed) : plain).sorted {
      ($0.channel, $0.platform ?? "", $0.publishedAt) < ($1.channel, $1.platform ?? "", $1.publishedAt)
    }
    let places = publications.prefix(4).map { publication in
      let place = [publication.channel, publication.platform].compactMap(\.self).joined(separator: "/")
      return "\(place) \(Instant(rawValue: publication.publishedAt.rawValue).words)"
    }
    return places.isEmpty ? [] : ["\(reply.release), published: \(places.joined(separator: ", "))"]
  }

  static func notes(_ reply: Reply<Adoption>) -> [String] {
    let shaky = reply.rows.flatMap(\.ages).filter { $0.isUnstable && $0.share.value != nil }.map(\.seconds).min()
    let baselines = reply.rows.compactMap { row in
      row.baseline.map { baseline in
        "\(reply.prefix(row))before: \(baseline.release) with \(counted(baseline.devices, "device")), "
          + "\(grouped(baseline.events)) updated, "
          + (row.figures.isOfOtherDevices
            ? "not compared: nobody knows who was let have one of them" : "at equal age")
          + (row.figures.isPolledBefore ? ", estimated between the checks" : "")
          + (row.figures.otherHours.map { "; \($0): short of whole days part of the difference is the hour" } ?? "")
      }
    }
    return reply.rows.map(\.counts).notes + reply.rows.compactMap(\.figures.polled?.note) + differenceNote(reply.rows)
      + (shaky.map { ["from \(age(seconds: $0)) on one update more would move the estimate by over 3.3 pp"] } ?? [])
      + reply.bandNotes(\.figures.band) + baselines + reply.provisionalNotes
  }

  /// Else the two answers about one difference read as a contradiction.
  private static func differenceNote(_ rows: [Counted<Adoption>]) -> [String] {
    let isShown = rows.contains { row in row.ages.contains { $0.difference?.lo != nil } }
    return isShown
      ? [
        "limits of differences are those of two sets of different devices; compare counts which devices are in both releases, and its"
          + " limits of the same difference are mostly narrower"
      ] : []
  }

  /// This release solid with its band, the one before dotted, at equal age.
  static func plots(_ reply: Reply<Adoption>) -> [Plot] {
    if reply.options.points == 0 { return [] }
    let ages = reply.rows.flatMap(\.ages).map(\.seconds).max() ?? 0
    let known = reply.rows.compactMap { $0.curve.points.last?.seconds }.max() ?? 0
    let end = max(min(ages, known), min(known, 86_400))
    return reply.rows.map { row in
      let baseline =
        row.figures.isOfOtherDevices
        ? nil : row.baseline.map { Plot.Series("\($0.release) at the same age", .dotted, $0.curve) }
      return Plot(
        [reply.words(row), row.figures.polled == nil ? reply.bandCaption : ""].filter { !$0.isEmpty }
          .joined(separator: ", "),
        [row.figures.polled.map { .init(row.release, $0) } ?? .init(row.release, .solid, row.curve)]
          + [baseline].compactMap(\.self), horizon: end)
    }.alike
  }

  static func next(_ reply: Reply<Adoption>) -> ShellCommand? {
    ShellCommand("uptake", "time-to-update").argument(reply.release).option("by", "mechanism")
  }
}

extension Counted<Adoption> {
  /// With the platform that the row is of: others may have got it at another time.
  fileprivate var placed: [PublicationRow] {
    figures.publications.map { publication in
      var placed = publication
      placed.platform = publication.platform ?? group.platform
      return placed
    }
  }
}
