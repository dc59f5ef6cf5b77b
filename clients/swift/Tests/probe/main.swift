// swift-format-ignore-file: NeverForceUnwrap
// A word that is wrong ends the program.
// The client on a line of words each, for Tests/Clients/test_own.py: words are parted by tabs.
// usage: probe FOLDER URL [capacity=N] [base=MS] [budget=MS] [delay=MS] [key=KEY] [app=APP] [device=ID]
//   [deviceModel=MODEL] [region=REGION] [plan=TAG]

import Foundation
@testable import Uptake

struct NeverEnds: Error {}
setvbuf(stdout, nil, _IOLBF, 0)
let words = CommandLine.arguments.dropFirst(3).map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
let setting = Dictionary(uniqueKeysWithValues: words.map { ($0[0], $0[1]) })
var options = Uptake.Options(
  url: URL(string: CommandLine.arguments[2])!, key: setting["key"],
  folder: URL(fileURLWithPath: CommandLine.arguments[1]),
  appVersion: "1.4.0")
options.app = setting["app"] ?? "com.example.demo"
options.platform = "ios"
options.device = setting["device"]
(options.deviceModel, options.region) = (setting["deviceModel"], setting["region"])
options.tags = setting["plan"].map { ["plan": $0] }
options.capacity = setting["capacity"].flatMap(Int.init) ?? options.capacity
options.retryBase = setting["base"].flatMap(Int.init) ?? options.retryBase
options.budget = setting["budget"].flatMap(Int.init) ?? options.budget
options.delay = setting["delay"].flatMap(Int.init) ?? options.delay
options.experiment = (name: "push", arms: [("holdout", 50), ("push", 50)])
if setting["problems"] != nil { options.onProblem = { print("problem: \($0)") } }

func fill(_ details: inout Details, _ words: ArraySlice<String>) {
  for word in words {
    let value = String(word.drop { $0 != "=" }.dropFirst())
    switch word.prefix(while: { $0 != "=" }) {
    case "reason": details.reason = value
    case "network": details.network = value
    case "durationMs": details.durationMs = Int(value)
    case "bytes": details.bytes = Int(value)
    default: fatalError("unknown detail \(word)")
    }
  }
}

func text(_ json: String) throws -> String {
  try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed) as! String
}

/// The work of a wake-up: stages to record, then what it comes to.
func work(_ outcome: String, _ stages: ArraySlice<String>) -> @Sendable (Scope) async throws -> Outcome? {
  let stages = stages.map { Stage(rawValue: $0)! }
  return { scope in
    for stage in stages { scope.record(stage, "r2") }
    if outcome == "throws" { throw NeverEnds() }
    if outcome == "never" { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
    return Outcome(rawValue: outcome)
  }
}

func hex(_ text: String) -> String { text.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " ") }

func rule(_ words: [String]) throws -> String? {
  switch words[0] {
  case "judge":
    let verdict = Answer(status: Int(words[1])!, body: words[3]).verdict(count: Int(words[2])!)
    return "\(verdict.remove) \(verdict.refused) \(verdict.next.rawValue)"
  case "pause":
    let answer = Answer(status: 500, body: "", retryAfter: words[4])
    return String(
      answer.pause(
        .init(rawValue: words[1])!, failures: Int(words[2])!, random: Double(words[3])!, base: Int(words[5])!))
  case "cause": return Answer(status: Int(words[1])!, body: words[2]).cause
  case "address": return eventsAddress(URL(string: words[1])!).absoluteString
  case "push": return arrivalOrTap(AppState(rawValue: words[1])!, isStarting: words[2] == "true").rawValue
  case "arm":
    let arms = words[3].split(separator: ",").map { $0.split(separator: ":") }.map {
      (arm: String($0[0]), percent: Double($0[1])!)
    }
    return "\(bucketOf(words[1], in: words[2])) \(armOf(words[1], in: (words[2], arms)) ?? "-")"
  case "lines":
    return wholeLines(of: Data(try text(words[1]).utf8)).map { String(decoding: $0, as: UTF8.self) }.joined(
      separator: "|")
  case "clean": return hex(clean(try text(words[1])))
  case "cut": return hex(cut(try text(words[1]), to: Int(words[2])!))
  default: return nil
  }
}

func obey(_ uptake: Uptake, _ words: [String]) async throws -> String {
  if let said = try rule(words) { return said }
  switch words[0] {
  case "record": uptake.current.record(Stage(rawValue: words[1])!, words[2]) { fill(&$0, words.dropFirst(3)) }
  case "started":
    uptake.started(words[1].isEmpty ? nil : words[1])
    for _ in 0..<3 { await uptake.stored() }
  case "screen":
    let scope = uptake.beginForeground()
    scope.record(Stage(rawValue: words[1])!, words[2])
    uptake.end(scope)
  case "foreground": await uptake.foreground { $0.record(Stage(rawValue: words[1])!, words[2]) }
  case "backgroundRefresh": return await uptake.backgroundRefresh(work(words[1], words.dropFirst(2))).rawValue
  case "silentPush":
    return await uptake.silentPush(
      id: "p1", release: "r2", appState: AppState(rawValue: words[1])!, appIsStarting: words[2] == "true",
      work(words[3], words.dropFirst(4))
    ).rawValue
  case "stopped":
    let wakeUp = Task { await uptake.backgroundRefresh(work("never", [])) }
    try await Task.sleep(nanoseconds: 100_000_000)
    wakeUp.cancel()
    return await wakeUp.value.rawValue
  case "close": await uptake.close(forget: words[1] == "forget")
  case "device": return uptake.device
  case "wait": try await Task.sleep(nanoseconds: UInt64(words[1])! * 1_000_000)
  case "flush": await uptake.flush()
  case "status": break
  default: fatalError("unknown command \(words[0])")
  }
  await uptake.stored()
  let status = await uptake.status()
  let isAsked = words[0] == "flush" || words[0] == "status"
  return isAsked ? "\(status.queued) \(status.dropped) \(status.refused) \(status.failures)" : ""
}

let uptake = try await Uptake.open(options)
print("open")
while let line = readLine() {
  let said = try await obey(uptake, line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init))
  print(said.isEmpty ? "done" : said)
}
