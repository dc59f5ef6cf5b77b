import Foundation
import Lifecycle
import Testing

/// The service assigns arms as the clients do: by the very cases that hold for these.
struct ArmRuleTests {
  private struct Cases: Decodable {
    struct Rule: Decodable {
      var say: [String]
      var gives: String
    }
    var rules: [Rule]
  }

  @Test func assignsAsTheClientsDo() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "clients/cases.json")
    let cases = try JSONDecoder().decode(Cases.self, from: Data(contentsOf: file)).rules.filter { $0.say[0] == "arm" }
    #expect(cases.count >= 6)
    for row in cases {
      let rule = try #require(ArmRule(row.say[2], arms: row.say[3]), "\(row.say)")
      let bucket = ArmRule.bucket(of: row.say[1], in: row.say[2])
      #expect("\(bucket) \(rule.arm(of: row.say[1]) ?? "-")" == row.gives, "\(row.say)")
    }
  }

  @Test(arguments: ["", "a", "a:", ":5", "a:5,a:5", "a:101", "a:-1", "a:60,b:41", "a:5,", "a:5:b", "a:nan"])
  func refuses(_ text: String) { #expect(ArmRule("push", arms: text) == nil) }

  @Test func spacesDoNotCount() throws {
    let rule = try #require(ArmRule("push", arms: " holdout : 5, push me:95 "))
    #expect(rule == ArmRule("push", arms: "holdout:5,push me:95") && rule.arms.map(\.name) == ["holdout", "push me"])
    #expect(ArmRule("push", arms: " :5") == nil)
  }

  /// Law: each arm gets its share of devices, whatever their ids look like.
  @Test(arguments: ["device-", "", "00000000000000000000"]) func sharesAreKept(_ prefix: String) throws {
    let rule = try #require(ArmRule("push", arms: "holdout:5,push:85"))
    var counts: [String?: Int] = [:]
    for number in 0..<20_000 { counts[rule.arm(of: prefix + "\(number)"), default: 0] += 1 }
    // Four standard errors of a share of 20,000.
    for (arm, share) in [("holdout", 0.05), ("push", 0.85), (nil, 0.1)] as [(String?, Double)] {
      #expect(abs(Double(counts[arm] ?? 0) / 20_000 - share) < 4 * (share * (1 - share) / 20_000).squareRoot())
    }
  }
}
