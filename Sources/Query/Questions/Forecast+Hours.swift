import Lifecycle
import Store

extension Forecast.Question {
  /// Who is asleep when a release comes cannot update: where half or more of those that it is forecast from came at another hour, part of
  /// what they had at its age is the hour.
  func hours(_ tables: [RiskTables], _ rows: [Forecast]) -> [Warning] {
    let before = used(tables, rows)
    let others = before.compactMap { record, old in OtherHours(tables[0], old).map { (record: record, hours: $0) } }
    guard let last = others.last, others.count * 2 >= before.count else { return [] }
    return [
      Warning(
        "hours_differ",
        "\(named(chosen.target.label.rawValue)) was \(last.hours.words(last.record.label.rawValue)): \(others.count) of"
          + " \(before.count) releases that it is forecast from came at another hour of the day, so its band, least between whole days,"
          + " holds less often than it says")
    ]
  }

  /// Likewise where half or more of them had more of a weekend, or less, among the ages ahead: part of what they had is the day.
  func days(_ tables: [RiskTables], _ rows: [Forecast]) -> [Warning] {
    let before = used(tables, rows)
    let ages = rows.filter { $0.obstacle == nil }.flatMap { row in
      row.points.map(\.seconds).filter { $0 > row.ageSeconds }.map { row.ageSeconds...$0 }
    }
    let others = before.compactMap { record, old in
      ages.lazy.compactMap { OtherDays(tables[0], old, $0) }.first.map { (record: record, days: $0) }
    }
    guard let last = others.last, others.count * 2 >= before.count else { return [] }
    return [
      Warning(
        "days_differ",
        "\(named(chosen.target.label.rawValue)) was \(last.days.words(last.record.label.rawValue)): \(others.count) of"
          + " \(before.count) releases that it is forecast from had more of a weekend, or less, at these ages, so its band holds less"
          + " often than it says, and the back-test says nothing of that")
    ]
  }

  /// Those that rows are forecast from.
  private func used(_ tables: [RiskTables], _ rows: [Forecast]) -> [(record: ReleaseRecord, tables: RiskTables)] {
    let names = Set(rows.filter { $0.obstacle == nil }.flatMap(\.history))
    return zip(past, tables.dropFirst()).map { (record: $0, tables: $1) }
      .filter { names.contains($0.record.label.rawValue) }
  }
}

extension Forecast {
  /// Whether an answer warns that the releases that it rests on, and its back-test, had other days.
  public static func isOfOtherDays(_ warnings: [Warning]) -> Bool { warnings.contains { $0.code == "days_differ" } }
}
