import Console
import Lifecycle
import Query
import Store
import Testing

@testable import Answers

/// What is said of a field in its list is what is written and shown of it.
struct FieldTests {
  private static let now = "2025-06-28T12:00:00Z"
  /// On the last day: what comes on it looks like clocks that are wrong.
  private static let later = "2025-06-29T06:00:00Z"

  /// What is asked, so that every list has elements and every object is there once.
  static let asked: [(question: any Presentable.Type, arguments: [String], options: [(Option, String)])] = [
    (Verdict.self, [], []), (Verdict.self, ["2.8.0"], [(.objectiveShare, "90%"), (.objectiveWithin, "24h")]),
    (Releases.self, [], []), (Releases.self, [], [(.minCell, "400")]), (Adoption.self, ["2.9.0"], []),
    (Adoption.self, ["2.8.0"], [(.by(DeviceGrouping.self), "channel"), (.minCell, "60")]),
    (Reach.self, ["2.8.0"], [(Reach.usage.option("history"), "7d")]), (TimeToUpdate.self, ["2.8.0"], []),
    (TimeToUpdate.self, ["2.8.0"], [(.by(Grouping.self), "mechanism,platform")]),
    (Compare.self, ["2.8.0", "2.7.0"], []), (Mechanisms.self, ["2.8.0"], []),
    (Mechanisms.self, ["2.8.0"], [(.estimand, "as-happened"), (.by(DeviceGrouping.self), "channel")]),
    (Failures.self, ["2.7.0"], []), (Failures.self, ["2.7.0"], [(.by(Grouping.self), "mechanism"), (.minCell, "40")]),
    (Failures.self, ["2.7.0"], [(Failures.usage.option("limit"), "0.1%")]), (Suspects.self, ["2.6.0"], []),
    (Forecast.self, ["2.9.0"], [(.channel, "production")]), (Forecast.self, ["1.0.0"], []),
    (Funnel.self, ["2.8.0"], []), (Funnel.self, ["2.8.0"], [(.by(Grouping.self), "channel"), (.minCell, "60")]),
    (Push.self, [], []), (WakeUps.self, [], []), (WakeUps.self, [], [(.minCell, "200")]), (Channels.self, [], []),
    (Channels.self, [], [(.by(Channels.Grouping.self), "platform"), (.minCell, "20")]), (Breadcrumbs.self, [""], []),
    (Diagnosis.self, [], [(.now, later)]), (Diagnosis.self, ["2.7.0"], [(.now, later)]),
    (Devices.self, ["2.8.0"], [(Devices.usage.option("older"), "1h"), (Devices.usage.option("limit"), "1")]),
  ]

  @Test func everyQuestionIsAskedHere() {
    #expect(Set(Self.asked.map { $0.question.usage.name }) == Set(questions.map(\.name)))
  }

  /// In both directions, down to the last member, and with the value that the field's key path reads.
  @Test func listsSayWhatIsWrittenAndShown() throws {
    var seen = Seen()
    let fleet = try SimulatedFleet.shared.get()
    for (question, arguments, options) in Self.asked { try Self.check(question, arguments, options, fleet, &seen) }
    let polled = try PolledFleet()
    for question: any Presentable.Type in [Adoption.self, TimeToUpdate.self, Mechanisms.self] {
      try Self.check(question, ["2.0.0"], [(.now, PolledFleet.end)], SimulatedFleet(path: polled.path), &seen)
    }
    for question: any Presentable.Type in [Adoption.self, TimeToUpdate.self] {
      try Self.check(
        question, ["2.0.0"], [(.now, PolledFleet.end), (.bands, "simultaneous")], SimulatedFleet(path: polled.path),
        &seen)
    }
    let next = try PolledFleet(hasNext: true)
    try Self.check(
      Compare.self, ["3.0.0", "2.0.0"], [(.now, PolledFleet.endOfBoth)], SimulatedFleet(path: next.path), &seen)
    let apart = try ApartPlatformsTests.rollingOut()
    for question: any Presentable.Type in [Verdict.self, Releases.self] {
      try Self.check(question, [], [(.now, "2025-03-03T12:00:00Z")], SimulatedFleet(path: apart.path), &seen)
    }
    #expect(seen.promised.subtracting(seen.found).sorted() == [], "the fleet has no example of these")
  }

  private static func check<Question: Presentable>(
    _ question: Question.Type, _ arguments: [String], _ options: [(Option, String)],
    _ fleet: SimulatedFleet, _ seen: inout Seen
  ) throws {
    let (name, reply) = (question.usage.name, try ask(question, arguments, options, fleet))
    for row in reply.rows {
      let (listed, written) = (try question.fields.json(row), try JSON(encoding: row))
      #expect(listed == written, "\(name): \(differences(listed, written, name).prefix(5))")
      seen.note(.object(question.fields.map(\.member)), written, name)
    }
    check(reply.table, name)
  }

  /// What a program reads has a name of its own, and limits where there are any.
  private static func check(_ table: Table, _ name: String) {
    #expect(!table.rows.isEmpty && Set(table.columns.map(\.key)).count == table.columns.count, "\(name)")
    for row in table.rows {
      for (column, cell) in zip(table.columns, row) where cell.hasLimits {
        #expect(column.hasInterval, "\(name): \(column.key) has limits and does not say so")
      }
      for (column, cell) in zip(table.columns, row) where !sentences.contains(name) {
        #expect(!cell.hidesNumbers, "\(name): \(column.key) holds numbers as text: \(cell)")
      }
    }
  }

  /// Their texts are sentences for people; the figures in them have fields of their own.
  private static let sentences = ["diagnose", "breadcrumbs"]

  private static func ask<Question: Presentable>(
    _ question: Question.Type, _ arguments: [String], _ options: [(Option, String)], _ fleet: SimulatedFleet
  ) throws -> Reply<Question> {
    let asked = try QuestionCommand(question).parameters(
      arguments: arguments == [""] ? [fleet.device] : arguments,
      sent: [(option: .now, text: now)].filter { fixed in !options.contains { $0.0.name == fixed.option.name } }
        + options.map { (option: $0.0, text: $0.1) }, now: Instant(rawValue: 0))
    return try question.ask(asked, try Snapshot(path: fleet.path)) { $0.device(of: $1, $2) }
  }

  private static func differences(_ listed: JSON, _ written: JSON, _ path: String) -> [String] {
    switch (listed, written) {
    case (.object(let left), .object(let right)):
      Set(left.keys).union(right.keys).sorted().flatMap { key -> [String] in
        guard let one = left[key], let other = right[key] else { return ["\(path).\(key) is in one of them"] }
        return differences(one, other, "\(path).\(key)")
      }
    case (.array(let left), .array(let right)) where left.count == right.count:
      zip(left, right).flatMap { differences($0, $1, path + "[]") }
    default: listed == written ? [] : ["\(path): \(listed.text(.compact)) and \(written.text(.compact))"]
    }
  }

  /// A place in the table belongs to one field.
  @Test(arguments: questions.map(\.name)) func positionsAreTold(_ name: String) throws {
    func positions<Question: Presentable>(_ question: Question.Type) -> [Int] {
      question.fields.flatMap(\.columns).map(\.position)
    }
    let question = try #require(presentables.first { $0.usage.name == name })
    let told = positions(question)
    #expect(Set(told).count == told.count && told.allSatisfy { $0 > 0 }, "\(told.sorted())")
  }
}

extension Usage {
  func option(_ name: String) -> Option { options.first { $0.name == name } ?? .app }
}

extension Cell {
  fileprivate var hasLimits: Bool {
    if case .quantity(_, .some, _) = self { true } else { false }
  }

  /// `72 of 8,016`, `12.0% to 14.0%`, `production → beta (12)`: what a program would have to take apart.
  fileprivate var hidesNumbers: Bool {
    guard case .text(let text) = self else { return false }
    return text.contains(#/[0-9]%? (of|to) [0-9]|\([0-9]|[0-9],[0-9]{3}/#)
  }
}

/// Which objects the lists promise, and which of them answers held.
private struct Seen {
  private(set) var promised: Set<String> = []
  private(set) var found: Set<String> = []

  mutating func note(_ shape: Shape, _ value: JSON?, _ path: String) {
    switch shape {
    case .integer, .number, .text, .flag, .instant, .word, .map, .names: return
    case .nullable(let shape): note(shape, value == .null ? nil : value, path)
    case .list(let shape):
      guard case .array(let elements)? = value, !elements.isEmpty else { return note(shape, nil, path) }
      for element in elements { note(shape, element, path) }
    case .object(let members), .part(_, let members):
      promised.insert(path)
      if value != nil { found.insert(path) }
      for member in members { note(member.shape, value?[member.name], "\(path).\(member.name)") }
    }
  }
}
