import Foundation
import Lifecycle

extension Scenario {
  /// `publish 2.0.0 at 0h [channel=beta] [platform=ios] [rollout=10%@0h,100%@24h] [mandatory]`
  func publication(_ line: ScenarioLine) throws -> Publication {
    let (plain, named) = line.options(from: 1)
    guard plain.count >= 3, plain[1] == "at" else { throw line.problem("expected `publish RELEASE at TIME …`") }
    for key in named.keys where !["channel", "platform", "rollout", "app"].contains(key) {
      throw line.problem("\"\(key)\" is no part of a publication; known: app, channel, platform, rollout")
    }
    let at = epoch + Milliseconds(rawValue: try line.duration(plain[2]))
    return Publication(
      app: named["app"] ?? Self.defaultApp, release: ReleaseLabel(rawValue: plain[0]),
      channel: named["channel"] ?? "production", platform: named["platform"], publishedAt: at,
      rollout: try named["rollout"].map { try steps($0, from: at, line) } ?? [], mandatory: plain.contains("mandatory"))
  }

  private func steps(_ text: String, from start: Timestamp, _ line: ScenarioLine) throws -> [RolloutStep] {
    try text.split(separator: ",").map { step in
      let parts = step.split(separator: "@")
      guard parts.count == 2, parts[0].last == "%", let percent = Double(parts[0].dropLast()) else {
        throw line.problem("\"\(step)\" is no rollout step such as 10%@24h")
      }
      return RolloutStep(at: start + Milliseconds(rawValue: try line.duration(String(parts[1]))), percent: percent)
    }
  }

  /// `device NAME [field=value …]` or `devices NAME COUNT [field=value …]`
  func deviceGroup(_ line: ScenarioLine) throws -> (names: [String], fields: [String: String]) {
    let (plain, named) = line.options(from: 1)
    if line.words[0] == "device", plain.count == 1 { return (plain, named) }
    guard line.words[0] == "devices", plain.count == 2, let count = Int(plain[1]), count > 0 else {
      throw line.problem("expected `device NAME …` or `devices NAME COUNT …`")
    }
    return ((1...count).map { "\(plain[0])\($0)" }, named)
  }

  /// `TIME [every TIME] STAGE [RELEASE] [TRIGGER] [field=value …]`, for each of the devices.
  mutating func add(_ line: ScenarioLine, _ devices: [String], _ fields: [String: String]) throws {
    let (words, named) = line.options(from: 0)
    let first = try line.duration(words[0])
    let isSpread = words.count > 2 && words[1] == "every"
    let step = isSpread ? try line.duration(words[2]) : 0
    let rest = words.dropFirst(isSpread ? 3 : 1)
    guard let stage = rest.first else { throw line.problem("what happened then?") }
    for (index, device) in devices.enumerated() {
      let at = epoch + Milliseconds(rawValue: first + Int64(index) * step)
      var event: [String: String] = ["app": Self.defaultApp, "device": device, "stage": stage, "at": at.rfc3339]
      for word in rest.dropFirst() {
        let isTrigger = Trigger(rawValue: word) != nil
        if event.updateValue(word, forKey: isTrigger ? "trigger" : "release") != nil {
          throw line.problem("\"\(word)\" is one word too many: a stage, a release and a trigger, then field=value")
        }
      }
      event.merge(["platform": "ios"].merging(fields) { $1 }.merging(named) { $1 }) { $1 }
      events.append(json(event))
    }
  }

  private static let numeric: Set<String> = ["bucket", "durationMs", "bytes"]
  private static let flags: Set<String> = ["emulator", "appIsStarting"]

  private func json(_ event: [String: String]) -> String {
    let fields = event.sorted { $0.key < $1.key }.filter { $0.value != "none" }.map { key, value in
      let isBare = Self.numeric.contains(key) || Self.flags.contains(key)
      return "\"\(key)\":" + (isBare ? value : "\"\(value)\"")
    }
    return "{" + fields.joined(separator: ",") + "}"
  }
}
