import Lifecycle
import Store

extension Forecast.Question {
  /// Who is asleep when a release comes cannot update: where half or more of those that it is forecast from came at another hour, part of
  /// what they had at its age is the hour.
  func hours(_ tables: [RiskTables], _ rows: [Forecast]) -> [Warning] {
    let used = Set(rows.filter { $0.obstacle == nil }.flatMap(\.history))
    let before = zip(past, tables.dropFirst()).filter { record, _ in used.contains(record.label.rawValue) }
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
}
