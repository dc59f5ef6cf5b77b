internal import Console

private let origin = Option("origin", help: "Also show where each value comes from")

extension Command {
  static let configShow = Command(
    "show", purpose: "Print every setting with its value; secrets are withheld",
    options: [origin] + Option.answer,
    examples: [
      .init("Print each value with the place that says it", "uptake config show --origin"),
      .init("Look at a file before a service reads it", "uptake config show --config new.toml --origin"),
    ],
    seeAlso: ["config check"]
  ) { invocation in
    let settings = invocation.program.allOptions.filter { $0.key != nil || $0.environment != nil }
    let rows = settings.map { Row($0, invocation.settings.setting($0)) }.sorted { $0.key < $1.key }
    let columns: [Table.Column] = [.init("KEY", key: "key"), .init("VALUE", key: "value")]
    let table = Table(
      columns + (invocation.flag(origin) ? [.init("ORIGIN", key: "origin")] : []),
      rows: rows.map { invocation.flag(origin) ? $0.cells : [Cell](($0.cells.prefix(2))) })
    let document: JSON = ["schema": "uptake.config/1", "data": .array(rows.map(\.json))]
    try invocation.show(Presentation(table: table, document: document))
    return .done
  }
}

private struct Row {
  let key: String
  let value: String?
  let origin: String?

  /// A setting without a key in the file is shown by its environment variable.
  init(_ option: Option, _ setting: Setting?) {
    key = option.key ?? option.environment ?? option.name
    value = setting.map { option.isSecret ? "(withheld)" : $0.texts.joined(separator: ",") }
    origin = setting?.origin.words
  }

  var cells: [Cell] {
    [.text(key), value.map(Cell.text) ?? .missing(because: ""), origin.map(Cell.text) ?? .term("", words: "not set")]
  }

  var json: JSON {
    ["key": .string(key), "value": value.map(JSON.string) ?? .null, "origin": origin.map(JSON.string) ?? .null]
  }
}
