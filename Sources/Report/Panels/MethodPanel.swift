internal import Console
internal import Lifecycle
internal import Query

extension Panel {
  static let method = Panel(
    name: "method", scope: .site, place: .wide, options: [.title], purpose: "How to read the page, and how it was made"
  ) { context in
    context.section("How to read this", explained(context), facts(context), commands(context))
  }

  /// Once a site is enough where a page has no room for it.
  private static func explained(_ context: PanelContext) -> HTML {
    guard context.detail != .least else {
      let first: HTML = "<a href=\"\(context.root)index.html#method\">What these numbers mean</a>"
      return note("\(first), and what is withheld. All times are UTC.")
    }
    return "<ul>\(notes(context.site.smallestGroup).map { "<li>\($0)</li>" as HTML })</ul>"
  }

  private static func notes(_ least: Int) -> [HTML] {
    [
      "<b>Devices are counted, never events.</b> Retries, duplicates and late arrivals change nothing.",
      "<b>A device that has not updated is not slow and not missing: it is waiting.</b> It counts with the time it has waited (Kaplan–Meier; Aalen–Johansen for mechanisms).",
      "<b>Intervals</b> in brackets hold the true value in 95 of 100 such cases, given that the data are sound. Where there is a dash, the reason stands beside it.",
      "<b>A line is thin and pale</b> where one more update would move it by over a percentage point, or where events are still to come.",
      "<b>A device leaves unupdated</b> when it was silent for the reach window, moved to another channel, or the next release was published.",
      "<b>Mechanism</b> is what delivered the release: a silent push, a background refresh, or the app being opened.",
      "\(withheld(least)) All times are UTC.",
    ]
  }

  private static func withheld(_ least: Int) -> HTML {
    least > 1
      ? "<b>Groups of fewer than \(least) devices are withheld</b>, their counts and their rates: who is one of three can be found out."
      : "<b>No group is withheld</b>, however small: who is one of three can be found out."
  }

  private static func facts(_ context: PanelContext) -> HTML {
    let site = context.site
    let query = context.release.map { $0.standing.speed.query.fields } ?? site.push.query.fields
    var rows: [(String, HTML)] = [
      ("Made by", "<code>\("\(site.command)")</code>"), ("Program", "uptake \(site.version)"),
      ("As of", time(site.now)), ("Newest contact", site.dataThrough.map(time) ?? "— <i>there is none</i>"),
    ]
    for (name, words) in [
      ("estimand", "Success"), ("clock", "Clock"), ("censor", "Waiting ends by"), ("cutOff", "Cutoff"),
      ("reachWindowSeconds", "Reach window"),
    ] {
      if let value = query[name] { rows.append((words, "\(text(value, isSeconds: name.hasSuffix("Seconds")))")) }
    }
    rows += counted(context)
    rows.append(
      ("Schemas", "\(Set(context.exhibits.map(\.schema) + ["uptake.report/1"]).sorted().joined(separator: ", "))"))
    let least = site.smallestGroup > 1 ? " with <code>--min-cell \(site.smallestGroup)</code>" as HTML : ""
    rows.append(
      ("Numbers", "<a href=\"\(context.root)data.json\">data.json</a>, the same as on the command line\(least)"))
    return "<dl class=facts>\(rows.map { "<dt>\($0.0)</dt><dd>\($0.1)</dd>" as HTML })</dl>"
  }

  /// How many devices the page rests on, and how many were left out for which reason.
  private static func counted(_ context: PanelContext) -> [(String, HTML)] {
    guard let counts = context.release?.own?.counts else { return [] }
    let out = counts.excluded.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { reason, count in
      "\(grouped(count)) \(Exclusion(rawValue: reason)?.words ?? reason)"
    }
    return [
      ("Devices used", "\(grouped(counts.devices))"),
      ("Left out", "\(out.isEmpty ? "none" : out.joined(separator: "; "))"),
    ]
  }

  /// What to type for the same numbers.
  private static func commands(_ context: PanelContext) -> HTML {
    guard context.detail.listsCommands else {
      return note("The command lines that print these numbers stand beside them in data.json.")
    }
    guard let common = context.exhibits.map({ "\($0.common)" }).max(by: { $0.count < $1.count }) else { return "" }
    let lines = context.exhibits.map { exhibit -> HTML in
      let isUsual = "\(exhibit.common)" == common
      return "<li><code>\("\(isUsual ? exhibit.brief : exhibit.command)")</code>"
    }
    return """
      <details class=noprint><summary>The command lines that print these numbers</summary>\
      <p class=note>Each with <code>\(common)</code>, unless it has <code>--db</code>; whole in data.json.</p><ul>\(lines)</ul></details>
      """
  }

  private static func text(_ value: QueryEcho.Value, isSeconds: Bool) -> String {
    switch value {
    case .none: "all"
    case .text(let text): text.hasSuffix("Z") && text.count >= 20 ? Format.minute(text) : text
    case .texts(let texts): texts.joined(separator: ", ")
    case .numbers(let numbers):
      numbers.map { isSeconds ? Console.duration(seconds: Double($0)) : "\($0)" }.joined(separator: ", ")
    case .number(let number): "\(number)"
    case .integer(let number): isSeconds ? Console.duration(seconds: Double(number)) : "\(number)"
    case .flag(let flag): flag ? "yes" : "no"
    }
  }
}
