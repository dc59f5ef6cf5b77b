import Lifecycle

/// The fixed parts of an event's JSON, ready to be copied. By code or raw value where they belong to a vocabulary.
struct Words: Sendable {
  let device = Array(#"{"device":""#.utf8)
  let quote = Array(#"""#.utf8)
  let end = Array("}\n".utf8)
  let at = Array(#","at":"#.utf8)
  let identity = Array(#","id":""#.utf8)
  let emulator = Array(#","emulator":true"#.utf8)
  let bucket = Array(#","bucket":"#.utf8)
  let heldOut = field("arm", "holdout")
  let pushed = field("arm", "push")
  let received = Array(#","received":"#.utf8)
  let sentAt = Array(#","sentAt":"#.utf8)
  let duration = Array(#","durationMs":"#.utf8)
  let bytes = Array(#","bytes":"#.utf8)
  let notice = Array(#","push":"notice-"#.utf8)
  let starting = Array(#","appIsStarting":true"#.utf8)
  let notStarting = Array(#","appIsStarting":false"#.utf8)
  let stages = byCode(Stage.allCases) { (Int($0.code), "stage", $0.rawValue) }
  let triggers = byCode(Trigger.allCases) { (Int($0.code), "trigger", $0.rawValue) }
  let outcomes = byCode(Outcome.allCases) { (Int($0.code), "outcome", $0.rawValue) }
  let reasons = byCode(Reason.allCases) { (Int($0.rawValue), "reason", $0.name) }
  let networks = [[], field("network", "cellular"), field("network", "wifi")]
  let appStates = AppState.allCases.map { field("appState", $0.rawValue) }
  let platforms = Platform.allCases.map { field("platform", $0.name) }
}

private func byCode<Word>(_ words: [Word], _ describe: (Word) -> (Int, String, String)) -> [[UInt8]] {
  var fields: [[UInt8]] = []
  for (code, name, value) in words.map(describe) {
    while fields.count <= code { fields.append([]) }
    fields[code] = field(name, value)
  }
  return fields
}

/// `,"name":"value"`
func field(_ name: String, _ value: String) -> [UInt8] { Array(",\"\(name)\":\(quoted(value))".utf8) }

/// A JSON string.
func quoted(_ text: String) -> String {
  var quoted = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": quoted += "\\\""
    case "\\": quoted += "\\\\"
    case "\u{0}"..<" ": quoted += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
    default: quoted.unicodeScalars.append(scalar)
    }
  }
  return quoted + "\""
}

/// Platform and versions, for every operating system with every app version.
func modelFields(of platform: Platform) -> [[UInt8]] {
  osVersions[Int(platform.rawValue)].flatMap { os in
    appVersions.map { app in
      field("platform", platform.name) + field("osVersion", os.name) + field("appVersion", app.name)
        + field("sdkVersion", platform == .ios ? "2.3.1" : "2.3.0")
    }
  }
}
