import Console
import Foundation
import Lifecycle
import Query
import Store
import Testing

@testable import Answers

/// What devices say of themselves splits answers, and narrows them: a row of the one is the answer of the other.
struct SliceTests {
  private static let questions: [[String]] = [
    ["adoption", "2.8.0"], ["time-to-update", "2.8.0"], ["mechanisms", "2.8.0"], ["reach", "2.8.0"],
    ["failures", "2.7.0"], ["funnel", "2.7.0"], ["push"], ["wakeups"],
  ]

  @Test(arguments: questions, ["osVersion", "sdkVersion", "appVersion", "network", "bucket"])
  func aRowIsTheAnswerForThoseDevices(_ words: [String], _ field: String) throws {
    // A funnel has the stages that anybody reports, and of one bucket there are two devices.
    if words[0] == "funnel", field == "bucket" { return }
    let rows = try rows(words + ["--by", field])
    #expect(rows.count > 1)
    for row in rows.prefix(3) {
      let value = try #require((row["group"] as? [String: Any])?[field] as? String)
      let narrowed = try self.rows(
        words + ["--where", "\(field)=\(value)"] + (words == ["wakeups"] ? ["--by", "channel"] : []))
      // An answer that is not split by channel and platform is one row.
      if words == ["wakeups"] {
        #expect(narrowed.map { $0["wakeUps"] as? Int ?? 0 }.reduce(0, +) == row["wakeUps"] as? Int)
      } else {
        #expect(narrowed.count == 1)
        #expect(told(narrowed.first) == told(row), "\(words) \(value)")
      }
    }
  }

  /// Several at once make the rows that several conditions make, whichever is named first.
  @Test(arguments: questions.filter { $0 != ["wakeups"] })
  func aRowOfSeveralIsTheAnswerForThoseDevices(_ words: [String]) throws {
    let fields = ["sdkVersion", "network", "appVersion"]
    let rows = try rows(words + ["--by", fields.joined(separator: ",")])
    #expect(rows.count > 1)
    #expect(rows as NSArray == (try self.rows(words + ["--by", fields.reversed().joined(separator: ",")])) as NSArray)
    for row in [rows[0], rows[rows.count - 1]] {
      let group = try #require(row["group"] as? [String: String])
      #expect(Set(group.keys) == Set(fields))
      let narrowed = try self.rows(words + fields.flatMap { ["--where", "\($0)=\(group[$0] ?? "")"] })
      #expect(narrowed.count == 1)
      #expect(told(narrowed.first) == told(row), "\(words) \(group)")
    }
  }

  /// A group of several is as small as its devices, however large each of its parts is.
  @Test func smallGroupsOfSeveralAreWithheld() throws {
    let by = ["adoption", "2.8.0", "--by", "osVersion,sdkVersion"]
    let all = try rows(by)
    let sizes = all.compactMap { $0["devices"] as? Int }.sorted()
    let limit = try #require(sizes.last)
    let kept = try rows(by + ["--min-cell", "\(limit)"])
    #expect(kept.count == all.count)
    #expect(kept.compactMap { $0["devices"] as? Int } == sizes.filter { $0 == limit })
    #expect(kept.filter { $0["reason"] as? String == "fewerThanMinCell" }.count == sizes.count { $0 < limit })
  }

  /// Questions that are not split by what devices say are narrowed by it, each as its like is.
  @Test(arguments: ["osVersion", "network"]) func everyQuestionIsNarrowed(_ field: String) throws {
    for row in try rows(["adoption", "2.8.0", "--by", field]).prefix(3) {
      let value = try #require((row["group"] as? [String: Any])?[field] as? String)
      let only = ["--where", "\(field)=\(value)", "--channel", "production"]
      let adopted = try rows(["adoption", "2.8.0"] + only).first?["devices"] as? Int
      #expect(try rows(["verdict", "2.8.0"] + only).first?["devices"] as? Int ?? 0 == adopted ?? 0)
      let releases = try rows(["releases"] + only)
      #expect(releases.first { $0["release"] as? String == "2.8.0" }?["devices"] as? Int == adopted)
      #expect(try rows(["forecast", "2.8.0"] + only).first?["devices"] as? Int == adopted)
    }
  }

  @Test(arguments: [
    (["channels", "2.8.0"], ["--where", "osVersion="]),
    (["releases"], ["--channel", "production", "--where", "osVersion="]),
    (["devices", "2.8.0", "--at", "confirmed", "--older", "1h"], ["--where", "osVersion="]),
  ]) func partsAddUp(_ words: [String], _ narrowed: [String]) throws {
    let counted = { (row: [String: Any]) in row["running"] as? Int ?? row["devices"] as? Int ?? 0 }
    let all = try rows(words + narrowed.dropLast(2)).map(counted).reduce(0, +)
    let versions = try rows(["push", "--by", "osVersion"]) + rows(["adoption", "2.8.0", "--by", "osVersion"])
    let names = Set(versions.compactMap { ($0["group"] as? [String: Any])?["osVersion"] as? String } + [Group.unnamed])
    let parts = try names.map { name in
      try rows(words + narrowed.dropLast() + [narrowed[narrowed.count - 1] + name]).map(counted).reduce(0, +)
    }
    #expect(all > 0)
    #expect(parts.reduce(0, +) == all, "\(words)")
  }

  @Test func aDiagnosisIsNarrowed() throws {
    let words = ["diagnose", "--where", "osVersion=none"]
    #expect(try rows(words).isEmpty)
  }

  @Test func severalValuesAreTogether() throws {
    let all = try rows(["adoption", "2.8.0", "--by", "osVersion"])
    let two = all.prefix(2)
    let values = two.compactMap { ($0["group"] as? [String: Any])?["osVersion"] as? String }
    let both = try rows(["adoption", "2.8.0", "--where", "osVersion=" + values.joined(separator: ",")])
    #expect(both.first?["devices"] as? Int == two.compactMap { $0["devices"] as? Int }.reduce(0, +))
    let none = try rows(["adoption", "2.8.0", "--where", "osVersion=\(values[0])", "--where", "osVersion=none"])
    #expect(none.first?["devices"] as? Int ?? 0 == 0)
  }

  @Test(arguments: [
    (["--where", "osVersion"], "does not say what devices"), (["--where", "osVersion="], "does not say"),
    (["--where", "colour=red"], "the fields are"), (["--where", "network=wifi,lte"], "wifi+cellular"),
    (["--where", "bucket=100"], "0 to 99"),
    (["--by", "osVersion,sdkVersion,region,network"], "cannot be asked for together"),
  ]) func refusesWhatIsNoCondition(_ options: [String], _ says: String) throws {
    let fleet = try SimulatedFleet.shared.get()
    do {
      _ = try ask(["adoption", "2.8.0"] + options, Snapshot(path: fleet.path))
      Issue.record("was answered")
    } catch {
      let failure = try #require(Failure(explaining: error))
      #expect((failure.message + failure.hints.joined()).contains(says))
      #expect(failure.exit == .usage)
    }
  }

  private static let filtered = [
    ["adoption", "2.8.0"], ["time-to-update", "2.8.0"], ["mechanisms", "2.8.0"], ["reach", "2.8.0"],
    ["failures", "2.7.0"], ["suspects", "2.7.0"],
    ["funnel", "2.7.0"], ["push"], ["wakeups"], ["compare", "2.8.0", "2.7.0"], ["releases"], ["verdict", "2.8.0"],
    ["forecast", "2.8.0"], ["diagnose"], ["devices", "2.8.0"], ["channels", "2.8.0"],
  ]

  /// What no device ever said selects none: each question says so, and what there is, the likest first.
  @Test(arguments: filtered) func whatNobodySaidIsNamed(_ words: [String]) throws {
    let known = try rows(["adoption", "2.8.0", "--by", "osVersion"]).compactMap {
      ($0["group"] as? [String: Any])?["osVersion"] as? String
    }
    let real = try #require(known.first { $0 != Group.unnamed })
    let wrong = try warnings(words + ["--where", "osVersion=\(real)x"])
    let said = try #require(wrong["unsaid_value"], "\(words) \(wrong)")
    #expect(said.contains("osVersion=\(real)x, so it selects none; did you mean \(real)? there are \(real)"), "\(said)")
    #expect(try warnings(words + ["--where", "osVersion=\(real)"])["unsaid_value"] == nil)
    #expect(try warnings(words + ["--where", "osVersion=\(Group.unnamed)"])["unsaid_value"] == nil)
    let never = try warnings(words + ["--where", "tag:plan=pro"])["unsaid_value"]
    #expect(never?.contains("no device ever named its tag:plan") == true, "\(never ?? "")")
  }

  private static let following = [
    ["adoption", "2.8.0"], ["reach", "2.8.0"], ["mechanisms", "2.8.0"], ["failures", "2.7.0"], ["suspects", "2.7.0"],
    ["funnel", "2.7.0"], ["compare", "2.8.0", "2.7.0"], ["verdict", "2.8.0"], ["releases"],
  ]

  /// What comes next is asked of the devices that were asked about, and is no command that is refused.
  @Test(arguments: following) func theNextQuestionIsOfTheSameDevices(_ words: [String]) throws {
    let fleet = try SimulatedFleet.shared.get()
    let narrow = try narrow()
    let next = try next(words + narrow + ["--now", fleet.end.rfc3339])
    for place in stride(from: 0, to: narrow.count, by: 2) {
      #expect(zip(next, next.dropFirst()).contains { $0 == (narrow[place], shellWord(narrow[place + 1])) }, "\(next)")
    }
    #expect(next.count { $0 == "--channel" } == 1)
  }

  /// A list goes on with the devices that it began with.
  @Test func theNextPageIsOfTheSameDevices() throws {
    let fleet = try SimulatedFleet.shared.get()
    let page = ["devices", "2.8.0", "--at", "confirmed", "--older", "1h", "--limit", "1", "--now", fleet.end.rfc3339]
    let line = try next(page + narrow().prefix(2) + narrow().suffix(2)).joined(separator: " ")
    #expect(line.contains("--after "), "\(line)")
    #expect(line.contains("--channel production --where 'osVersion="), "\(line)")
  }

  private func next(_ words: [String]) throws -> [String] {
    let shown = try answer(words, Snapshot(path: SimulatedFleet.shared.get().path))
    return "\(try #require(shown.presentation.next))".split(separator: " ").map(String.init)
  }

  private func narrow() throws -> [String] {
    let systems = try rows(["adoption", "2.8.0", "--by", "osVersion"]).compactMap {
      ($0["group"] as? [String: Any])?["osVersion"] as? String
    }
    return [
      "--channel", "production", "--where", "network=wifi,cellular", "--where",
      "osVersion=\(systems.joined(separator: ","))",
    ]
  }

  private func warnings(_ words: [String]) throws -> [String: String] {
    let fleet = try SimulatedFleet.shared.get()
    let text = try ask(words + ["--now", fleet.end.rfc3339], Snapshot(path: fleet.path))
    let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let found = document?["warnings"] as? [[String: String]] ?? []
    return Dictionary(found.map { ($0["code"] ?? "", $0["message"] ?? "") }) { first, _ in first }
  }

  private func rows(_ words: [String]) throws -> [[String: Any]] {
    let fleet = try SimulatedFleet.shared.get()
    let text = try ask(words + ["--now", fleet.end.rfc3339], Snapshot(path: fleet.path))
    let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    return document?["data"] as? [[String: Any]] ?? []
  }

  /// Without its name, and without the rule to stop by: its limit comes from past releases, which are narrowed as well.
  private func told(_ row: [String: Any]?) -> NSDictionary {
    var row = row ?? [:]
    (row["group"], row["stopRule"]) = (nil, nil)
    return row as NSDictionary
  }
}

/// Answers a question as it would be typed; options are given in pairs.
func ask(_ words: [String], _ snapshot: borrowing Snapshot) throws -> String {
  try answer(words, snapshot).presentation.document().text(.compact)
}

func answer(_ words: [String], _ snapshot: borrowing Snapshot) throws -> Shown {
  let question = try #require(questions.first { $0.name == words[0] })
  let split = words.dropFirst().firstIndex { $0.hasPrefix("--") } ?? words.endIndex
  let sent = try stride(from: split, to: words.endIndex, by: 2).map { place in
    let option = try #require((question.options + [.now]).first { "--" + $0.name == words[place] })
    return (option: option, text: words[place + 1])
  }
  let asked = try question.parameters(
    arguments: Array(words[1..<split]), sent: sent, now: Instant(rawValue: 1_900_000_000_000))
  return try question.answer(asked, snapshot) { $0.device(of: $1, $2) }
}
