internal import Console
internal import Query
internal import Statistics

/// Mechanisms by channel and by release, and the two ways to bring updates into the background.
extension Panel {
  static let mechanismChannels = Panel(
    name: "mechanism-channels", scope: .site, place: .wide, options: [.title],
    purpose: "The same shares channel by channel, on equal axes",
    reads: { [$0.site.mechanismsByChannel.map { Exhibit($0) }].compactMap(\.self) }
  ) { context in
    guard let answer = context.site.mechanismsByChannel else { return .empty }
    let rows = answer.data.filter { $0.counts.devices > 0 }.prefix(12)
    guard rows.count > 1, let age = commonAge(Array(rows)) else { return .empty }
    let kinds = rows.flatMap { share($0, age) }.filter { $0.events > 0 }.map(\.mechanism)
    let order = rows.first.map { share($0, age).map(\.mechanism).filter(Set(kinds).contains) } ?? []
    let top = rows.flatMap { share($0, age).compactMap { $0.share.hi ?? $0.share.value } }.max() ?? 1
    let ticks = Ticks.shares(to: top)
    let pictures = rows.enumerated().map { index, row -> HTML in
      picture(row, order, age, ticks, id: "\(context.id)-\(index)")
    }
    let more = answer.withheld.count == 1 ? "1 more channel has" : "\(answer.withheld.count) more channels have"
    let small: HTML =
      answer.withheld.isEmpty ? "" : note("\(more) fewer than \(context.site.smallestGroup) devices.")
    return context.section(
      "Channel by channel",
      note(
        "Shares of each channel’s devices \(Console.age(seconds: age)) after they could have \(context.takenName); all axes are the same."
      ),
      "<div class=small>\(pictures)</div>", small, table(Array(rows), order, age).behind)
  }

  /// The latest age that every channel has.
  private static func commonAge(_ rows: [Counted<Mechanisms>]) -> Int64? {
    let ages = rows.map { row in
      row.ages.filter { age in age.shares.contains { $0.share.value != nil } }.map(\.seconds)
    }
    return ages.first?.last { age in ages.allSatisfy { $0.contains(age) } }
  }

  private static func share(_ row: Counted<Mechanisms>, _ age: Int64) -> [Mechanisms.Share] {
    row.ages.first { $0.seconds == age }?.shares ?? []
  }

  private static func picture(
    _ row: Counted<Mechanisms>, _ order: [String], _ age: Int64, _ ticks: [Tick], id: String
  ) -> HTML {
    let channel = row.group.channel ?? ""
    let bars = order.map { kind -> Rows.Row in
      let estimate = share(row, age).first { $0.mechanism == kind }?.share
      return Rows.Row(
        name: kind.mechanismWords, words: estimate?.text(.share) ?? "", value: estimate?.value, lo: estimate?.lo,
        hi: estimate?.hi, ink: Ink(mechanism: kind))
    }
    let most = bars.max { ($0.value ?? 0) < ($1.value ?? 0) }
    let finding = most.map { "Most by \($0.name): \($0.words)." } ?? "Nothing yet."
    let drawing = Rows(mark: .dot, rows: bars, ticks: ticks, scale: Scale(lowest: 0, highest: ticks.last?.value ?? 1))
      .picture(id: id, title: "What brought the release on \(Name(channel).shortened(to: 40))", finding: finding)
    return
      "<div><h3>\(Name(channel).html(atMost: 30)) <small>\(grouped(row.counts.devices)) device\(row.counts.devices == 1 ? "" : "s")</small></h3>\(drawing.html)</div>"
  }

  private static func table(_ rows: [Counted<Mechanisms>], _ order: [String], _ age: Int64) -> DataTable {
    DataTable(
      caption: "Shares of devices by channel \(Console.age(seconds: age)) after they could have it, with 95% intervals",
      columns: [.init("Channel"), .init("Devices")] + order.map { .init($0.mechanismWords) },
      rows: rows.map { row in
        [Name(row.group.channel ?? "").html(), Number.count(row.counts.devices)]
          + order.map { kind in
            share(row, age).first { $0.mechanism == kind }?.told.html(.share) ?? Number.none("no update")
          }
      })
  }

  static let mechanismWays = Panel(
    name: "mechanism-ways", scope: .site, place: .wide, options: [.title],
    purpose: "Periodic refreshes and silent pushes beside each other, with the fleet's own figures",
    reads: { $0.readsMechanisms }
  ) { context in
    guard let row = context.mechanisms, !row.ways.isEmpty else { return .empty }
    return context.section(
      "Two ways to bring updates in the background",
      DataTable(
        caption: "Background refresh and silent push in this fleet; pushes are those for all releases",
        columns: [
          .init("Way"), .init("Half of what it brought ready after"), .init("Made ready"),
          .init("What the system took away", isText: true), .init("Needs a push server", isText: true),
          .init("Good for", isText: true),
        ],
        rows: row.ways.map { way in
          [
            "\(way.mechanism.mechanismWords)",
            way.deliverySeconds.map { Number.duration($0) }
              ?? Number.none(row.counts.events(by: way) > 0 ? "when is not known" : "brought nothing"),
            Number.count(way.delivered), interference(way.interference), way.needsPushServer ? "yes" : "no",
            "\(way.goodFor)",
          ]
        }
      ).html)
  }

  /// Intervals stand below their numbers, so that what a number is of stands before it, and no line begins with a semicolon.
  private static func interference(_ part: Mechanisms.Interference) -> HTML {
    let more = [runs(part), refusals(part)].compactMap(\.self)
    let rest: HTML = more.isEmpty ? "" : " \(more.joined("; "))"
    guard let share = part.share, share.value != nil else {
      return "\(Number.none(unknown(part) + (more.isEmpty ? "" : ";")))\(rest)"
    }
    return "\(part.kind == "lostPushes" ? "pushes lost" : "runs over budget"): \(share.html(.share))\(rest)"
  }

  /// Why there is no share.
  private static func unknown(_ part: Mechanisms.Interference) -> String {
    if let share = part.share { return share.reason?.words ?? "not known" }
    if part.reason == Unestimable.noReceipts.rawValue { return "no device reports arrivals" }
    if part.reason == Mechanisms.Interference.receiptsPartly { return "not known: some devices report no arrival" }
    if part.kind == "lostPushes" {
      return part.rejected == part.sent && part.sent != 0 ? "no push was accepted" : "no push that is a day old"
    }
    return part.reason == "noEndsReported" ? "no run reports its end" : "no refresh was reported"
  }

  private static func runs(_ part: Mechanisms.Interference) -> HTML? {
    part.medianIntervalSeconds.map { "half of all runs came within \(Number.duration(Double($0))) of the one before" }
  }

  /// Pushes that the gateway refused are not among the lost.
  private static func refusals(_ part: Mechanisms.Interference) -> HTML? {
    guard let sent = part.sent, let rejected = part.rejected, rejected > 0 else { return nil }
    return "the gateway refused \(grouped(rejected)) of \(grouped(sent))"
  }

  static let mechanismReleases = Panel(
    name: "mechanism-releases", scope: .site, place: .wide, options: [.title],
    purpose: "What share of devices each mechanism brought each release to, at one age",
    reads: { $0.site.releases.prefix(12).map { Exhibit($0.standing.speed) } }
  ) { context in
    let rows = context.site.releases.prefix(12).compactMap { release in
      release.own.flatMap { $0.counts.events > 0 ? MechanismHistory.Row(facts: release.facts, own: $0) : nil }
    }
    guard rows.count > 1 else { return .empty }
    return context.section("Release by release", MechanismHistory(rows: rows).table(context).html)
  }
}

extension RiskCounts {
  fileprivate func events(by way: Mechanisms.Way) -> Int { eventsByMechanism[way.mechanism] ?? 0 }
}
