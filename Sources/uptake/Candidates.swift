internal import Answers
internal import Console
internal import Lifecycle
internal import Query
internal import Simulate
internal import Store

/// Words that completion offers for an argument or an option, by the name in its `completion`.
@Sendable func candidates(_ name: String, _ invocation: Invocation) throws -> [String] {
  switch name {
  case "commands":
    invocation.program.commands.filter { !$0.isHidden }.map(\.name) + invocation.program.topics.map(\.name)
  case "scenarios": BuiltInScenario.all.map(\.name)
  case "questions": questions.map(\.name)
  case "apps": try invocation.vocabulary().apps
  case "releases": try invocation.timelines().flatMap { $0.names }.inOrder
  case "channels": try invocation.timelines().flatMap(\.channels).inOrder
  case "platforms": try invocation.vocabulary().profiles.values.compactMap(\.platform).inOrder
  default: []
  }
}

extension Invocation {
  /// Only names are read, no events: a prompt waits for it.
  fileprivate func vocabulary() throws -> Vocabulary {
    try Vocabulary(path: ifListed(.database) { text($0) } ?? "")
  }

  /// Of the app that was named, else of all.
  fileprivate func timelines() throws -> [Timeline] {
    let (vocabulary, app) = (try vocabulary(), ifListed(.app) { text($0) })
    return (app.map { [$0] } ?? vocabulary.apps).map { Timeline(vocabulary, app: $0) }
  }
}

extension [String] {
  fileprivate var inOrder: [String] { Set(self).sorted() }
}
