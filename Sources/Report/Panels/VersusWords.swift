internal import Console
internal import Query
internal import Statistics

/// A comparison of two releases as sentences and tables.
struct VersusWords {
  let row: Compare
  private let names: [String]
  /// Of what its tables are about, so that each has a caption of its own.
  private let place: String
  /// What is known of both until now, the newer first; nil where it is withheld.
  private let glance: [Releases?]

  init(_ row: Compare, on channel: String, _ glance: [Releases]) {
    (self.row, place) = (row, " on \(Name(channel).shortened(to: 40))")
    self.glance = [row.first.release, row.second.release].map { label in
      glance.first { $0.release == label && $0.channel == channel }
    }
    names = [row.first.release, row.second.release].map { Name($0).shortened(to: 24) }
  }

  /// At the greatest age that both have lived.
  var finding: HTML {
    guard let age = row.ages.last(where: { $0.difference.value != nil }) else {
      return "Both have not lived long enough to be compared: \(Number.duration(Double(row.ageSeconds))) so far."
    }
    return """
      \(Number.duration(Double(age.seconds))) after devices could have it, \(age.told.html(.share)) had \
      \(Name(row.first.release).html()), and \(age.baselineTold.html(.share)) had \(Name(row.second.release).html()) at the same age: \
      \(age.difference.html(.points)). \(Self.relation(age))\(verdict)
      """
  }

  /// Where the mean wait, which decides, says something else than adoption at that age.
  private var verdict: HTML {
    guard let mean = row.deciding, let value = mean.difference.value else { return "" }
    return """
       In all: \(row.verdict.words), by the mean wait within \(Console.age(seconds: mean.horizonSeconds)), which differs by \
      \(mean.difference.html(.durationDifference(inUnitOf: value.magnitude))).
      """
  }

  private static func relation(_ age: Compare.Age) -> HTML {
    let little: HTML = age.isLittle ? "a little " : ""
    return switch age.relevance {
    case .relevant: (age.difference.value ?? 0) > 0 ? "It is ahead." : "It is behind."
    case .equivalent: "They are level: the difference is too small to matter."
    case .undecided:
      age.difference.lo ?? 0 > 0
        ? "It is \(little)ahead."
        : age.difference.hi ?? 0 < 0
          ? "It is \(little)behind."
          : age.isOfFew
            ? "Which is ahead is not known: few devices were followed so long, and stand for many that were not."
            : "There is no clear difference in adoption."
    }
  }

  var adoption: HTML {
    guard !row.ages.isEmpty else { return "" }
    return DataTable(
      caption:
        "Adoption\(place) by age on each device's own clock, with 95% intervals; past releases from least to most",
      isStacked: true,
      columns: [.init("Age")] + names.map { .init($0) } + [.init("Difference"), .init("Past releases")],
      rows: row.ages.map { age in
        [
          Number.duration(Double(age.seconds)), age.told.html(.share), age.baselineTold.html(.share),
          age.difference.html(.points), usual(age.seconds),
        ]
      }
    ).html
  }

  /// What the releases before these two reached.
  private func usual(_ seconds: Int64) -> HTML {
    guard let range = row.usual.first(where: { $0.seconds == seconds }), let lowest = range.lowest,
      let highest = range.highest
    else { return Number.none("no past release") }
    return "\(Number.share(lowest)) to \(Number.share(highest)) <i>in \(grouped(range.releases.count))</i>"
  }

  var measures: HTML {
    let (sides, notCompared) = ([row.first, row.second], Number.none("not compared"))
    let counts: [[HTML]] = [
      ["Eligible devices so far"] + sides.map { Number.count($0.counts.devices) } + [notCompared],
      ["Updated so far, at whatever age"] + sides.map { Number.count($0.counts.events) } + [notCompared],
    ]
    let most = row.restrictedMeans.compactMap { $0.difference.value?.magnitude }.max() ?? 0
    let waits = row.restrictedMeans.map { mean -> [HTML] in
      [
        "Mean wait within \(Console.age(seconds: mean.horizonSeconds))", mean.seconds.html(.duration),
        mean.baseline.html(.duration), mean.difference.html(.durationDifference(inUnitOf: most)),
      ]
    }
    let failures: [HTML] =
      ["First attempts that failed"] + sides.map { $0.failures.rate.html(.share) } + [
        row.failureDifference.html(.points)
      ]
    let published: [HTML] =
      ["Published"] + sides.map { $0.publishedAt.map { time($0) } ?? Number.none("never published") } + [notCompared]
    return DataTable(
      caption: "What else differs\(place): counts so far, of each as long as it was out; waits at equal age",
      isStacked: true,
      columns: [.init("Measure")] + names.map { .init($0) } + [.init("Difference")],
      rows: counts + waits + [failures, published]
    ).html
  }

  /// Of all who launched them until now, however lately: what is ahead in adoption may do harm.
  var harms: HTML {
    let known = zip(names, glance).compactMap { name, release in release.map { (name: name, release: $0) } }
    guard known.contains(where: { $0.release.launched > 0 }) else { return "" }
    return DataTable(
      caption: "Crashes and rollbacks\(place) within a day of the launch, of all launches until now",
      columns: [.init("Release"), .init("Launched"), .init("Crashed"), .init("Rolled back")],
      rows: known.map { name, release in
        ["\(name)", Number.count(release.launched)]
          + [release.crashedRate, release.rolledBackRate].map {
            release.launched > 0 ? $0.html(.share) : Number.none("no launch")
          }
      }
    ).html
  }

  var mechanisms: HTML {
    guard let last = row.mechanisms.map(\.seconds).max() else { return "" }
    return DataTable(
      caption: "What had brought it to devices\(place) by \(Console.age(seconds: last)), as shares of all devices",
      isStacked: true,
      columns: [.init("Mechanism")] + names.map { .init($0) } + [.init("Difference")],
      rows: row.mechanisms.filter { $0.seconds == last }.map { one in
        [
          "\(one.mechanism.mechanismWords)", one.share.html(.share), one.baseline.html(.share),
          one.difference.html(.points),
        ]
      }
    ).html
  }

  var caveat: HTML {
    let other = [
      row.first.weekday == row.second.weekday ? nil : "on different days of the week",
      row.cameAtOtherHours ? "at different hours" : nil,
    ].compactMap(\.self).joined(separator: " and ")
    let days = other.isEmpty ? "" : " They were published \(other), which alone makes a difference."
    return """
      Adoption and waits are looked at up to the age that both have lived. A difference inside the range of past releases is nothing \
      unusual. Intervals cover chance, not other days, devices or networks than usual.\(days)
      """
  }
}
