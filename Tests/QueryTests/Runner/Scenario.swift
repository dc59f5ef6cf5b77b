import Lifecycle

/// A rollout told in plain text: publications, devices and what happened to them, questions and the answers expected.
///
/// Scenarios/README.md has the format.
struct Scenario {
  struct Ask {
    var line: ScenarioLine
    var question: String
    var releases: [String]
    var options: [String: String]
    var expectations: [Expectation] = []
  }
  struct Expectation {
    enum Kind {
      case value(path: String, wanted: String)
      case warns(String)
      case warnsNot(String)
      case refuses(String)
    }
    var line: ScenarioLine
    var kind: Kind
  }

  var epoch = Timestamp(seconds: 1_709_539_200)
  var now: Timestamp?
  var publications: [Publication] = []
  /// One JSON object each, in the order written.
  var events: [String] = []
  var asks: [Ask] = []
}

extension Scenario {
  static let defaultApp = "com.example.demo"

  init(_ text: String, file: String) throws {
    self.init()
    var devices: (names: [String], fields: [String: String])?
    for (index, raw) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      guard let line = ScenarioLine(raw, file: file, number: index + 1) else { continue }
      if line.isIndented {
        if !asks.isEmpty {
          asks[asks.count - 1].expectations.append(try Expectation(line))
        } else if let devices {
          try add(line, devices.names, devices.fields)
        } else {
          throw line.problem("this line is indented, but no device or question stands above it")
        }
        continue
      }
      switch line.words[0] {
      case "epoch": epoch = try instant(line)
      case "now": now = epoch + Milliseconds(rawValue: try line.duration(line.words.last ?? ""))
      case "publish": publications.append(try publication(line))
      case "device", "devices": devices = try deviceGroup(line)
      case "ask": asks.append(try ask(line))
      default:
        throw line.problem("\"\(line.words[0])\" starts no line; known: epoch, now, publish, device, devices, ask")
      }
    }
  }

  private func instant(_ line: ScenarioLine) throws -> Timestamp {
    do { return try Timestamp(rfc3339: line.words.last ?? "") } catch {
      throw line.problem("an epoch is an instant such as 2024-03-04T08:00:00Z")
    }
  }

  private func ask(_ line: ScenarioLine) throws -> Ask {
    let (plain, named) = line.options(from: 1)
    guard let question = plain.first else { throw line.problem("ask what?") }
    return Ask(line: line, question: question, releases: Array(plain.dropFirst()), options: named)
  }
}

extension Scenario.Expectation {
  init(_ line: ScenarioLine) throws {
    let words = line.words
    switch words[0] {
    case "warns" where words.count == 2: kind = .warns(words[1])
    case "warns" where words.count == 3 && words[1] == "not": kind = .warnsNot(words[2])
    case "refuses" where words.count == 2: kind = .refuses(words[1])
    default:
      guard words.count >= 3, words[1] == "=" else {
        throw line.problem("expected `path = value`, `warns CODE`, `warns not CODE` or `refuses CODE`")
      }
      kind = .value(path: words[0], wanted: words[2...].joined(separator: " "))
    }
    self.line = line
  }
}
