/// An answer in all the forms it can take; each part is made when it is asked for, and only then: whoever prints CSV makes no
/// document, whoever answers a request no table.
public struct Presentation: Sendable {
  /// Lines above the table, for people.
  public let heading: @Sendable () -> [String]
  public let table: @Sendable () -> Table
  /// Drawn above the table for the format `plot`, one below the other.
  public let plots: @Sendable () -> [Plot]
  /// The document for programs; `ndjson` prints the elements of its `data`, a line each.
  public let document: @Sendable () throws -> JSON
  /// The same as text, where what it is made from writes itself.
  private let written: (@Sendable (JSON.Style) throws -> String)?
  /// Lines below the table, for people: what to know.
  public let notes: @Sendable () -> [String]
  /// What to ask next, on a line of its own that is neither wrapped nor cut: it is there to be pasted.
  public private(set) var next: ShellCommand?
  /// The rows that are enough on a terminal; nil where all are shown there as well.
  private var brief: (@Sendable () -> BriefRows?)?

  public init(
    heading: @autoclosure @escaping @Sendable () -> [String] = [], table: @autoclosure @escaping @Sendable () -> Table,
    plots: @autoclosure @escaping @Sendable () -> [Plot] = [],
    document: @autoclosure @escaping @Sendable () throws -> JSON,
    notes: @autoclosure @escaping @Sendable () -> [String] = [], next: ShellCommand? = nil
  ) {
    (self.heading, self.table, self.plots, self.document) = (heading, table, plots, document)
    (self.notes, self.next, written) = (notes, next, nil)
  }

  /// - Parameter encoded: describes the document.
  public init(
    heading: @autoclosure @escaping @Sendable () -> [String], table: @autoclosure @escaping @Sendable () -> Table,
    plots: @autoclosure @escaping @Sendable () -> [Plot], encoded: some Encodable & Sendable,
    notes: @autoclosure @escaping @Sendable () -> [String], next: ShellCommand?
  ) {
    (self.heading, self.table, self.plots) = (heading, table, plots)
    document = { try JSON(encoding: encoded) }
    written = { style in try JSON.text(encoding: encoded, style) }
    (self.notes, self.next) = (notes, next)
  }

  /// - Parameter options: nil where one of them is not to be written down.
  fileprivate func carrying(_ options: [(name: String, value: String)]?) -> Presentation {
    var copy = self
    copy.next = options.flatMap { next?.carrying($0) }
    return copy
  }

  /// With fewer rows on a terminal than programs get, where there are many.
  public func shortened(_ brief: @escaping @Sendable () -> BriefRows?) -> Presentation {
    var copy = self
    copy.brief = brief
    return copy
  }

  /// The table as it is shown on a terminal.
  fileprivate func onScreen(_ table: Table) -> (table: Table, note: [String]) {
    guard let rows = brief?() else { return (table, []) }
    return (Table(table.columns, rows: rows.indices.map { table.rows[$0] }), [rows.note])
  }

  /// The document as text, without a newline at the end.
  public func text(_ style: JSON.Style = .compact) throws -> String {
    try written?(style) ?? document().text(style)
  }

  /// Heading, table and notes in Markdown.
  public var forReading: String { markdown(table()) }

  fileprivate func markdown(_ table: Table) -> String {
    let top = heading().map { harmless(markdownText($0)) + "\n" }.joined()
    return top + (top.isEmpty ? "" : "\n") + table.markdown()
      + notes().map { "\n" + markdownText($0) + "\n" }.joined() + (next.map { "\nnext:\n\n    \($0)\n" } ?? "")
  }

  fileprivate var nextLine: [String] { next.map { ["next: \($0)"] } ?? [] }
}

extension Invocation {
  /// Prints an answer as `--format` and its companions ask; the command lists `Option.answer`.
  ///
  /// Notes stand below a table; beside a machine's format they go to standard error.
  public func show(_ answer: Presentation) throws {
    let (format, answer) = (format, answer.carrying(parameters.carried))
    try print(try text(answer, format))
    let isForPeople = [.table, .md, .plot].contains(format)
    if !isForPeople, !flag(.quiet) { try note(answer.notes() + answer.nextLine) }
  }

  /// Says on standard error why cells are empty of which rows for programs say nothing: people read it below the table, and JSON
  /// has it beside each.
  public func explainEmpty(_ answer: Presentation) throws {
    guard [.csv, .tsv].contains(format) else { return }
    try note(answer.table().whyEmpty(glyphs))
  }

  /// Writes text to `--output`, whole or not at all, where the command has that option and it is given; else to
  /// standard output.
  public func print(_ text: String) throws(Failure) {
    guard command.options.contains(where: { $0.name == Option.output.name }), let path = self.text(Option.output),
      path != "-"
    else { return try host.output.write(text) }
    let file = try AtomicFile(path)
    try file.write(text)
    try file.commit()
  }

  /// Writes lines to standard error, unless `--quiet`. On a terminal they break at words; what is there to be pasted is left whole.
  public func note(_ lines: [String]) throws(Failure) {
    guard !flag(.quiet), !lines.isEmpty else { return }
    let width = host.errors.isTerminal ? host.errors.columns : .max
    let shown = lines.map(harmless).flatMap { line in
      line.hasPrefix("next: ") ? [line] : wrapped(line, to: width, keeping: program.name)
    }
    try host.errors.write(shown.map { $0 + "\n" }.joined())
  }

  /// The same, but a line is written once a run, however often this is called.
  public func noteOnce(_ line: String) throws(Failure) {
    if said.isNew(line) { try note([line]) }
  }

  public var glyphs: Glyphs { Glyphs(environment: host.environment, ascii: flag(.ascii)) }

  public var usesColour: Bool {
    let choice = flag(.noColour) ? "never" : text(.colour) ?? "auto"
    return Console.usesColour(choice, environment: host.environment, isTerminal: isForTerminal)
  }

  /// The form that was asked for: a table on a terminal and TSV elsewhere, where nothing was.
  ///
  /// A command may permit more words; those say nothing about its answer.
  public var format: Format {
    if flag(.json) { return .json }
    return text(.format).flatMap(Format.init(rawValue:)) ?? (isForTerminal ? .table : .tsv)
  }

  private var isForTerminal: Bool {
    let hasOutput = command.options.contains { $0.name == Option.output.name }
    return host.output.isTerminal && (!hasOutput || text(.output) ?? "-" == "-")
  }

  private func text(_ answer: Presentation, _ format: Format) throws -> String {
    let fields = texts(.fields)
    switch format {
    case .json: return try document(answer, fields, isForTerminal ? .pretty : .compact) + "\n"
    case .ndjson: return try answer.document().selecting(fields).elements.map { $0.text() + "\n" }.joined()
    case .table, .plot, .md, .tsv, .csv: break
    }
    let table = fields.isEmpty ? answer.table() : try answer.table().selecting(fields)
    switch format {
    case .csv: return table.csv(header: !flag(.noHeader))
    case .tsv: return table.tsv(header: !flag(.noHeader))
    case .md: return answer.markdown(table)
    case .json, .ndjson, .table, .plot: return forPeople(answer, table, format)
    }
  }

  private func document(_ answer: Presentation, _ fields: [String], _ style: JSON.Style) throws -> String {
    try fields.isEmpty ? answer.text(style) : answer.document().selecting(fields).text(style)
  }

  private func forPeople(_ answer: Presentation, _ table: Table, _ format: Format) -> String {
    let width = isForTerminal ? host.output.columns : 200
    let plots = (format == .plot ? answer.plots() : []).map { plot in
      plot.text(width: min(width, 100), glyphs: glyphs, colour: usesColour) + "\n"
    }
    let notes =
      flag(.quiet)
      ? [] : answer.notes().flatMap { wrapped(harmless($0), to: width, keeping: program.name) } + answer.nextLine
    // Not among the notes, which --quiet leaves out: rows that are missing are told.
    let (table, left) = isForTerminal && format == .table ? answer.onScreen(table) : (table, [])
    let heading = isForTerminal ? answer.heading().flatMap { wrapped(harmless($0), to: width) } : answer.heading()
    return lines(heading, "") + plots.joined()
      + table.aligned(width: width, glyphs: glyphs, colour: usesColour)
      + lines(left.flatMap { wrapped($0, to: width, keeping: program.name) }, "")
      + notes.map { $0 + "\n" }.joined()
  }

  private func lines(_ lines: [String], _ end: String) -> String {
    lines.isEmpty ? "" : lines.map { harmless($0) + "\n" }.joined() + end
  }
}

extension Settings {
  /// What was typed of some options; nil where an address among it may hold a password.
  func typed(_ options: [Option]) -> [(name: String, value: String)]? {
    let typed = options.compactMap { option -> (name: String, value: String)? in
      guard let setting = setting(option), case .flag = setting.origin, let text = setting.texts.last else {
        return nil
      }
      return (option.name, text)
    }
    return typed.contains { mayHoldPassword($0.value) } ? nil : typed
  }
}

/// `scheme://user:password@host`; a user alone is no secret.
private func mayHoldPassword(_ text: String) -> Bool {
  guard let scheme = text.firstRange(of: "://"), let at = text.lastIndex(of: "@"), scheme.upperBound <= at else {
    return false
  }
  return text[scheme.upperBound..<at].contains(":")
}

extension JSON {
  /// The elements of `data`.
  fileprivate var elements: [JSON] {
    if case .array(let elements)? = self["data"] { elements } else { [] }
  }

  /// The document with only these fields in each element of `data`.
  fileprivate func selecting(_ fields: [String]) throws(Failure) -> JSON {
    guard !fields.isEmpty, case .object(var document) = self else { return self }
    let objects = elements.compactMap { if case .object(let object) = $0 { object } else { nil } }
    let known = Set(objects.flatMap(\.keys)).sorted()
    for field in fields where !known.isEmpty && !known.contains(field) {
      throw Failure(
        "unknown_field", "there is no field \(quoted(field))", place: "--fields",
        suggestions: suggestions(for: field, among: known), hints: ["fields: " + known.joined(separator: ", ")],
        exit: .usage)
    }
    document["data"] = .array(objects.map { object in .object(object.filter { fields.contains($0.key) }) })
    return .object(document)
  }
}
