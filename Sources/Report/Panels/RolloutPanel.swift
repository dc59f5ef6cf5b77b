internal import Console
internal import Lifecycle
internal import Query

extension Panel {
  static let rollout = Panel(
    name: "rollout", scope: .release, options: [.title], purpose: "When the release was published, widened and replaced"
  ) { context in
    guard let release = context.release else { return .empty }
    guard let published = release.facts.publishedAt else {
      return context.missing("Steps of the rollout", "It was never published on this channel.")
    }
    var rows: [[HTML]] = [
      [time(published), release.facts.isInferred ? "first heard of; no publication is registered" : "published"]
    ]
    rows += release.facts.rollout.map {
      [time($0.at), "\(stepWords($0.percent))\($0.at > context.site.now ? " (planned)" : "")"]
    }
    if release.facts.rollout.isEmpty, !release.facts.isInferred { rows[0][1] = "published to everybody at once" }
    let apart = platforms(release)
    if !apart.isEmpty { rows = apart }
    if let end = release.facts.supersededAt, apart.isEmpty {
      rows.append([time(end), "the next release was published"])
    }
    return context.section(
      "Steps of the rollout",
      DataTable(
        caption:
          "What operators did with \(Name(release.facts.label).shortened(to: 40)) on \(Name(release.facts.channel).shortened(to: 40))",
        columns: [.init("When"), .init("What", isText: true)], rows: rows
      ).html)
  }

  private static func stepWords(_ percent: Double, _ place: HTML = "") -> HTML {
    percent == 0
      ? "halted\(place): no other device may have it" : "\(percentText(percent)) of devices\(place) may have it"
  }

  /// Where platforms got it at instants of their own.
  private static func platforms(_ release: ReleaseAnswers) -> [[HTML]] {
    let apart = (release.standing.sinceRelease?.figures.publications ?? []).filter {
      $0.channel == release.facts.channel && $0.platform != nil
    }
    var events: [(at: Timestamp, what: HTML)] = []
    for row in apart {
      let name = Name(row.platform ?? "").html()
      events.append((row.publishedAt, "published for \(name)\(row.rollout.isEmpty ? " to everybody at once" : "")"))
      for step in row.rollout {
        events.append((step.at, stepWords(step.percent, " on \(name)")))
      }
      if let end = row.supersededAt { events.append((end, "the next release was published for \(name)")) }
    }
    return events.sorted { $0.at < $1.at }.map { [time($0.at), $0.what] }
  }
}

/// The day alone, where many stand below each other.
func day(_ instant: Timestamp) -> HTML {
  "<time datetime=\"\(instant.rfc3339)\">\(String(instant.rfc3339.prefix(10)))</time>"
}

func time(_ instant: Timestamp) -> HTML {
  "<time datetime=\"\(instant.rfc3339)\">\(Format.minute(instant.rfc3339))</time>"
}
