/// A request or an answer of any version: 3.0 is XML; 3.1 and 4.0 are JSON of the same names, lists under `app` and `event` or
/// under `apps` and `events`.
struct OmahaMessage {
  let root: XMLElement
  /// The version of the protocol where it is one in JSON, so that the answer is in the same.
  let jsonVersion: String?

  /// What answers begin with, so that no browser runs them.
  static let prefix = ")]}'\n"

  init(_ bytes: [UInt8]) throws(DialectProblem) {
    let start = bytes.starts(with: Self.prefix.utf8) ? Self.prefix.utf8.count : 0
    let first = bytes[start...].first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    if first == UInt8(ascii: "{") {
      (root, jsonVersion) = try Self.json(Array(bytes[start...]))
    } else {
      do throws(XMLProblem) { root = try XMLReader.read(bytes) } catch {
        throw DialectProblem(.malformed, error.message)
      }
      jsonVersion = nil
    }
  }

  private static func json(_ bytes: [UInt8]) throws(DialectProblem) -> (XMLElement, String) {
    let body: JSONValue
    do throws(JSONProblem) { body = try JSONReader.read(bytes) } catch {
      throw DialectProblem(.malformed, error.message)
    }
    guard let member = body.members?.first, member.value.members != nil else {
      throw DialectProblem(.malformed, "the body has no object \"request\"")
    }
    return (element(member.name, member.value), member.value["protocol"]?.word ?? "3.1")
  }

  /// An object as the element that it is in XML: texts and numbers are attributes, objects are children.
  private static func element(_ name: String, _ object: JSONValue) -> XMLElement {
    var element = XMLElement(name: singular(name))
    for member in object.members ?? [] {
      if let text = member.value.word ?? member.value.integer.map(String.init) {
        element.attributes[member.name] = text
      } else if member.value.members != nil {
        element.children.append(self.element(member.name, member.value))
      }
      element.children += (member.value.array ?? []).map { self.element(member.name, $0) }
    }
    return element
  }

  private static func singular(_ name: String) -> String { ["apps": "app", "events": "event"][name] ?? name }
}

extension ForeignReply {
  /// No update, and thanks for every event.
  static func omaha(json apps: [XMLElement], version: String) -> Self {
    let isPlural = version != "3.1"
    let answers = apps.map { app in
      let parts = ["ping": #""status":"ok""#, "updatecheck": #""status":"noupdate""#].sorted { $0.key < $1.key }
        .filter { !app.children($0.key).isEmpty }.map { #","\#($0.key)":{\#($0.value)}"# }
      let events = app.children("event").prefix(1000).map { _ in #"{"status":"ok"}"# }
      let list = events.isEmpty ? "" : #","\#(isPlural ? "events" : "event")":[\#(events.joined(separator: ","))]"#
      return #"{"appid":\#(jsonText(app["appid"] ?? "")),"status":"ok"\#(parts.joined())\#(list)}"#
    }
    return .json(
      OmahaMessage.prefix + #"{"response":{"protocol":\#(jsonText(version)),"server":"uptake","#
        + #""daystart":{"elapsed_days":0},"\#(isPlural ? "apps" : "app")":[\#(answers.joined(separator: ","))]}}"#)
  }
}
