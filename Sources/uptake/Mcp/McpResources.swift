internal import Answers
internal import Console
internal import Lifecycle
internal import Server
internal import Store

/// What a program may read beside asking: releases as they stand, and what words and questions mean.
struct McpResources: Sendable {
  struct Resource: Sendable {
    var uri: String
    var name: String
    var about: String
    var type: String
  }

  let server: McpServer
  private static let releases = "uptake://releases/"
  private static let help = "uptake://help/"
  /// So many of an app are listed, newest first; others can be read by their names.
  private static let most = 50

  func list() throws -> [Resource] { topics + (try releases()) }

  private var topics: [Resource] {
    let program = server.program
    let words = program.topics.map { ($0.name, $0.purpose) }
    let commands = program.commands.filter { $0.group == "QUESTIONS" && !$0.isHidden }.map { ($0.name, $0.purpose) }
    return (words + commands).map { name, purpose in
      Resource(uri: Self.help + name, name: name, about: purpose, type: "text/plain")
    }
  }

  private func releases() throws -> [Resource] {
    let snapshot = try Snapshot(path: server.path)
    var resources: [Resource] = []
    for app in snapshot.vocabulary.apps where server.app == nil || server.app == app {
      let labels = snapshot.vocabulary.releases.filter { $0.app == app && $0.isNamed }.suffix(Self.most).map(
        \.label.rawValue)
      resources += labels.reversed().map { label in
        Resource(
          uri: Self.releases + "\(percentEncoded(app))/\(percentEncoded(label))", name: "\(app) \(label)",
          about: "The verdict on \(label), with its reasons", type: "application/json")
      }
    }
    return resources
  }

  static let templates: [JSON] = [
    [
      "uriTemplate": "uptake://releases/{app}/{release}", "name": "release", "mimeType": "application/json",
      "description": "The verdict on a release, with its reasons",
    ],
    [
      "uriTemplate": "uptake://help/{topic}", "name": "help", "mimeType": "text/plain",
      "description": "What a topic or a question means",
    ],
  ]

  func read(_ uri: String) throws -> (text: String, type: String) {
    if uri.hasPrefix(Self.help) { return (try help(String(uri.dropFirst(Self.help.count))), "text/plain") }
    let parts = uri.hasPrefix(Self.releases) ? uri.dropFirst(Self.releases.count).split(separator: "/") : []
    guard parts.count == 2, let app = Self.decoded(parts[0]), let label = Self.decoded(parts[1]) else {
      throw RPCError(code: .badParameters, message: "there is no resource \(quoted(uri))")
    }
    let asked = try QuestionTool(question: .verdict).parameters(
      server.own(["app": .string(app), "release": .string(label)]), usual: server.usual, now: server.clock())
    return (try server.answer(.verdict, asked).document().text(.pretty) + "\n", "application/json")
  }

  private func help(_ word: String) throws(RPCError) -> String {
    guard !word.isEmpty, let text = server.program.help(topic: word) ?? commandHelp(word) else {
      throw RPCError(code: .badParameters, message: "there is no help on \(quoted(word))")
    }
    return text
  }

  private func commandHelp(_ word: String) -> String? {
    server.program.commands(along: [word]) == nil ? nil : server.program.help(for: [word])
  }

  private static func decoded(_ text: Substring) -> String? {
    var (bytes, rest) = ([UInt8](), text.utf8[...])
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let digits = String(rest.prefix(2)), let code = UInt8(digits, radix: 16) else { return nil }
      bytes.append(code)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
