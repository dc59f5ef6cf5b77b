internal import Console
internal import Lifecycle
internal import Query

extension Panel {
  static let health = Panel(
    name: "health", scope: .site, place: .wide, options: [.title],
    purpose: "Events day by day: late, from clocks ahead, come again; and what lowers trust in the numbers",
    ownData: "health"
  ) { context in
    let health = context.site.health
    return context.section("Data health", health.trust, health.table(now: context.site.now), health.facts)
  }
}

extension DataHealth {
  /// So many reasons are named, each by what it says first; `data.json` has them whole.
  private static let most = 3

  /// Whether the numbers can be trusted, in a sentence; what lowers trust in them below it.
  var trust: HTML {
    guard !warnings.isEmpty else {
      return days.isEmpty
        ? paragraph("Nothing was found that lowers trust in these numbers, but how events come in is not known.")
        : paragraph("These numbers can be trusted as far as is known: nothing was found that lowers trust in them.")
    }
    let reasons = warnings.prefix(Self.most).map { "<li>\($0.opening)" as HTML }
    let left = warnings.count - Self.most
    let rest: HTML = left > 0 ? "<li>\(left) more in data.json" : ""
    return "<p>Trust these numbers less, because of this:</p><ul>\(reasons)\(rest)</ul>"
  }

  func table(now: Timestamp) -> HTML {
    guard let newest = days.first else {
      let why = cutDay.map(part(of:)) ?? "no event says when it was received"
      return note("Events by day: not known, as \(why).")
    }
    let isOpen = newest.day + .days(1) > now
    let cut: HTML = cutDay.map { "; \(name(of: $0)) is left out, as \(part(of: $0))" } ?? ""
    return DataTable(
      caption:
        "Events of all devices by the day (UTC) they were received\(isOpen ? ", the newest not over" : "")\(cut); late is over \(age(seconds: lateAfterSeconds)) after they happened",
      columns: [
        .init("Day"), .init("Events"), .init("Without a time"), .init("Late, of the others"), .init("Clock ahead"),
      ],
      rows: days.map { day in
        ["\(name(of: day.day))", Number.count(day.events)] + (day.events > 0 ? day.cells : Day.nothing)
      }
    ).html
  }

  private func name(of day: Timestamp) -> String { String(day.rfc3339.prefix(10)) }
  private func part(of day: Timestamp) -> HTML {
    "all of \(name(of: day)) is counted, and this page is of a part of it"
  }

  var facts: HTML {
    let rows: [(HTML, HTML)] = [
      ("Last received", lastReceived?.html ?? "not known: no event at hand says when"),
      ("Come again", repeats?.html ?? "not known: no single events at hand"),
      ("Clocks behind", "not known: their events look late"),
      ("Receipt unknown", "not known: they are in no day"),
      (
        "Not registered",
        "\(Number.count(unregistered)) of \(Number.counted(releases, "release")) that devices name; of how many events is not kept"
      ),
    ]
    return "<dl class=facts>\(rows.map { "<dt>\($0.0)<dd>\($0.1)" as HTML })</dl>"
  }
}

extension DataHealth.Day {
  fileprivate var cells: [HTML] {
    let share = lateShare.map { "\(Number.count(late)) <i>(\(Number.share($0)))</i>" as HTML }
    return [
      Number.count(timeless), share ?? Number.none("not known"),
      lateShare == nil ? Number.none("not known") : Number.count(ahead),
    ]
  }

  fileprivate static let nothing: [HTML] = Array(repeating: Number.none("nothing came"), count: 3)
}

extension DataHealth.Receipt {
  fileprivate var html: HTML {
    let when: HTML = isOnlyDay ? "at \(time(at)) at the latest; only the day is kept" : time(at)
    return isBeforeImports ? "\(when); what was stored since does not say when" : when
  }
}

extension DataHealth.Repeats {
  fileprivate var html: HTML {
    "\(Number.count(count)) of the newest \(Number.counted(of, "event")), under other ids; under the same id they are dropped"
  }
}

extension Warning {
  /// What it says before it explains.
  fileprivate var opening: String {
    let clause = message.split(separator: ": ", maxSplits: 1).first.map(String.init) ?? message
    return truncated(clause, to: 110).capitalizedFirst
  }
}
