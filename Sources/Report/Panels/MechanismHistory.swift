internal import Console
internal import Lifecycle
internal import Query
internal import Statistics

/// What each mechanism brought, release by release. Shares grow with age, so that only those of one age can be compared.
struct MechanismHistory {
  struct Row {
    var facts: ReleaseFacts
    var own: TimeToUpdate

    /// Seconds that it was followed for, on each platform that it came to.
    fileprivate var followed: Int64 {
      let ends = facts.followed ?? 0
      guard let first = facts.publishedAt, let last = facts.starts.map(\.start.publishedAt).max() else { return ends }
      return max(0, ends - max(0, (last - first).rawValue / 1000))
    }
  }
  var rows: [Row]

  /// The latest of these that every release was followed to, in seconds; nil where one was followed for less than six hours.
  static func commonAge(_ followed: [Int64]) -> Int64? {
    [604_800, 259_200, 172_800, 86_400, 43_200, 21_600].first { age in followed.allSatisfy { $0 >= age } }
  }

  func table(_ context: PanelContext) -> DataTable {
    let age = Self.commonAge(rows.map(\.followed))
    let kinds = self.kinds
    let ageColumn: [DataTable.Column] = age == nil ? [.init("By the age of")] : []
    return DataTable(
      caption: caption(age),
      columns: [.init("Release"), .init("Devices")] + ageColumn + kinds.map { .init($0.mechanismWords) },
      rows: rows.map { row in
        let ageCell: [HTML] = age == nil ? [Number.duration(Double(row.followed))] : []
        return name(row, context) + ageCell + kinds.map { row.own.brought(by: $0, at: age ?? row.followed) }
      })
  }

  private func caption(_ age: Int64?) -> String {
    let share = "Share of devices that each mechanism had brought each release to"
    return age.map { "\(share) \(Console.age(seconds: $0)) after they could have it, with 95% intervals" }
      ?? "\(share) by the age of its row, with 95% intervals; shares grow with age, so rows of different ages are not to be compared"
  }

  private func name(_ row: Row, _ context: PanelContext) -> [HTML] {
    let channel = Name(row.facts.channel).html(atMost: 24)
    return [
      "\(Panel.link(row.facts.label, on: row.facts.channel, context)) <i>\(channel)</i>",
      Number.count(row.own.counts.devices),
    ]
  }

  /// Those that brought any of them to anybody, what brought most first.
  private var kinds: [String] {
    var events: [String: Int] = [:]
    for row in rows { for part in row.own.mechanisms { events[part.mechanism, default: 0] += part.events } }
    return events.filter { $0.value > 0 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
  }
}

extension TimeToUpdate {
  /// The share at an age, in seconds.
  fileprivate func brought(by mechanism: String, at age: Int64) -> HTML {
    mechanisms.first { $0.mechanism == mechanism }?.share(at: age)?.html(.share) ?? Number.none("no update by then")
  }
}

extension TimeToUpdate.MechanismShare {
  /// A step of the curve holds until the next; nil before the first.
  func share(at age: Int64) -> Estimate? { curve.last { $0.seconds <= age }?.share }
}
