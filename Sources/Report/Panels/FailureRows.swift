internal import Console
internal import Query
internal import Statistics

/// What fails of a release, as bars and as a table: first attempts up to the cutoff, crashes and rollbacks as the verdict counts them.
struct FailureRows {
  let row: Failures
  /// Crashes and rollbacks of all who launched it so far; none where the verdict says nothing of them.
  private let harms: [Verdict.Reason]

  init(_ row: Failures, _ verdict: Verdict?) {
    self.row = row
    harms = [.crashes, .rollbacks].compactMap { verdict?.harm($0) }
  }

  var chart: Rows {
    var bars = [bar("first attempts that failed", row.rate, of: row.attempts, .failed, limit: row.stopRule.judged)]
    if let previous = row.previous {
      let name = "the same of \(Name(previous.release).shortened(to: 20))"
      bars.append(bar(name, previous.rate, of: previous.attempts, .waiting))
    }
    bars += harms.compactMap(bar) + (rollbacksAreTold ? [] : [oldRollbacks])
    bars += row.reasons.prefix(harms.isEmpty ? 6 : 2).map { reason in
      bar("reason: " + Name(reason.reason).shortened(to: 20), reason.rate, of: row.attempts, .refresh)
    }
    let ticks = Ticks.shares(to: highest(bars))
    return Rows(
      mark: .bar, rows: bars.map(\.row), ticks: ticks, scale: Scale(lowest: 0, highest: ticks.last?.value ?? 1))
  }

  /// Which launches: two rates of rollbacks on one page have one name.
  var launchWords: HTML {
    let isLimited = row.stopRule.judged != nil || harms.contains { $0.limit != nil }
    let marks: HTML = isLimited ? " A dotted line across a bar is its limit." : ""
    guard let launched = harms.filter({ $0.platform == nil }).compactMap(\.devices).max() else {
      guard row.applies > 0, !rollbacksAreTold else { return marks }
      return """
        \(marks) Rollbacks are of the \(Number.count(row.applies)) launches at least a day old at the cutoff.
        """
    }
    return """
      \(marks) Crashes and rollbacks are of all \(Number.count(launched)) launches until now, as in the verdict.
      """
  }

  func table(_ label: String) -> DataTable {
    var rows: [[HTML]] = [
      ["first attempts", Number.count(row.attempts), Number.count(row.failed), row.rate.html(.share)]
    ]
    if let previous = row.previous {
      rows.append([
        "first attempts of \(Name(previous.release).html())", Number.count(previous.attempts),
        Number.count(previous.failed), previous.rate.html(.share),
      ])
    }
    rows += harms.map { harm in
      [
        "all launches, \(harm.harmWords)", harm.devices.map(Number.count) ?? "", harm.events.map(Number.count) ?? "",
        harm.value?.html(.share) ?? "",
      ]
    }
    if !rollbacksAreTold {
      rows.append([
        "launches a day old, rolled back", Number.count(row.applies), Number.count(row.rolledBack),
        row.noOldLaunch.map { Number.none($0) } ?? row.rollbackRate.html(.share),
      ])
    }
    return DataTable(
      caption: "Failures, crashes and rollbacks of \(Name(label).shortened(to: 40)), with 95% intervals",
      columns: [.init("What"), .init("Devices"), .init("Of them"), .init("Share")], rows: rows)
  }
}

extension FailureRows {
  private typealias Bar = (row: Rows.Row, devices: Int)

  private func bar(
    _ name: String, _ rate: Estimate, of devices: Int, _ ink: Ink, limit: Double? = nil
  ) -> Bar {
    let bound = limit.map { ", limit \(Format.share($0))" } ?? ""
    return (
      Rows.Row(
        name: name + bound, words: rate.text(.share), value: rate.value, lo: rate.lo, hi: rate.hi, ink: ink,
        limit: limit), devices
    )
  }

  private func bar(_ harm: Verdict.Reason) -> Bar? {
    guard let value = harm.value, let devices = harm.devices else { return nil }
    let ink = harm.subject == .crashes ? Ink.failed : .location
    var bar = bar("launched so far, \(harm.harmWords)", value, of: devices, ink, limit: harm.limit)
    bar.row.words += " of \(grouped(devices))"
    return bar
  }

  private var rollbacksAreTold: Bool { harms.contains { $0.subject == .rollbacks } }

  private var oldRollbacks: Bar {
    var bar = bar("launched a day ago, rolled back", row.rollbackRate, of: row.applies, .location)
    bar.row.words = row.noOldLaunch.map { "— " + $0 } ?? bar.row.words + " of \(grouped(row.applies))"
    return bar
  }

  private static let fewest = 30

  /// The interval of a few devices would stretch the axis until nothing else can be read; it is cut off at its end.
  private func highest(_ bars: [Bar]) -> Double {
    let firm = bars.filter { $0.devices >= Self.fewest }
    let ends = (firm.isEmpty ? bars : firm).compactMap { $0.row.hi ?? $0.row.value }
    return (ends + bars.compactMap(\.row.limit)).max() ?? 0
  }
}

extension Verdict.Reason {
  /// `crashed within a day`, on the platform that it is about.
  fileprivate var harmWords: String {
    let place = platform.map { $0.isEmpty ? " where no platform is named" : " on \(Name($0).shortened(to: 16))" } ?? ""
    return (subject == .crashes ? "crashed" : "rolled back") + place
  }
}

extension Failures {
  fileprivate var noOldLaunch: String? {
    applies == 0 && appliesTooYoung > 0 ? "none is a day old yet" : nil
  }
}
