internal import Answers
internal import Console

extension Command {
  static let schema = Command(
    "schema", group: "ABOUT", purpose: "Print the JSON Schema of an answer",
    arguments: [.init("QUESTION", choices: questions.map(\.name), help: "The command that answers")],
    examples: [.init("What time-to-update prints as JSON", "uptake schema time-to-update")],
    seeAlso: ["help formatting"]
  ) { invocation in
    let schema = questions.first { $0.name == invocation.arguments[0] }?.schema
    try invocation.print((schema?.document ?? .null).text(.pretty) + "\n")
    return .done
  }
}
