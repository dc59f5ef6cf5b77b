internal import Answers
internal import Console
internal import HTTP
internal import Lifecycle
internal import Query
internal import Server
internal import Report

extension FileTable {
  /// `[[export]]`: what the service tells to whom by itself.
  static let export = FileTable(
    "export", repeats: true,
    keys: [
      .init("target", .choice(ExportTarget.all.map(\.name)), help: "Whom to tell"),
      .init("every", .duration, help: "How often to look for news; 5m where not given"),
      .init("only", .text, help: "Tell only of these kinds of facts, such as verdict,step"),
      .init("horizon", .duration, help: "Do not tell what happened longer ago; 7d where not given"),
      .init("app", .text, help: "Only this application"),
      .init("channel", .text, help: "Only these channels, between commas"),
      .init("to", .text, help: "The receiver's URL, where it is not the vendor's own"),
      .init("secret-file", .path, help: "A file that holds the receiver's secret"),
      .init("secret-env", .text, help: "The environment variable that holds the secret"),
      .init("timeout", .duration, help: "The longest that one request may take; 30s where not given"),
      .init("trust", .path, help: "Trust the certificates of this file (PEM), not the system's"),
    ] + ExportTarget.Need.allCases.map { FileTable.Key($0.rawValue, .text, help: "As the option of uptake export") })
}

extension Invocation {
  /// The entries of the settings; what is wrong with one is told at the start, not in a log at night.
  func exportEntries() throws -> [ExportKeeper.Entry] {
    var entries: [ExportKeeper.Entry] = []
    let judging = try parameters.judging()
    for (place, table) in settings.configuration.tables("export").enumerated() {
      do throws(Failure) { entries.append(try entry(ExportTexts(table), judging)) } catch {
        var failure = error
        failure.place = failure.place ?? "[[export]] \(place + 1)"
        throw failure
      }
    }
    try ExportKeeper.check(entries)
    return entries
  }

  /// Kinds of facts that entries ask for in vain.
  var exportWarnings: [String] {
    settings.configuration.tables("export").enumerated().compactMap { place, table in
      let texts = ExportTexts(table)
      guard let target = texts["target"].flatMap(ExportTarget.named), let wanted = try? texts.kinds() else {
        return nil
      }
      return target.inVain(wanted).map { "[[export]] \(place + 1): only: \($0)" }
    }
  }

  var exportSecretFiles: [String] {
    settings.configuration.tables("export").compactMap { ExportTexts($0)["secret-file"] }
  }

  private func entry(_ texts: ExportTexts, _ judging: Verdict.Options) throws(Failure) -> ExportKeeper.Entry {
    guard let target = texts["target"].flatMap(ExportTarget.named) else {
      throw Failure("missing_option", "an export needs a target", hints: ["write target = \"sentry\""], exit: .usage)
    }
    let details = ExportTarget.Need.allCases.compactMap { need in texts[need.rawValue].map { (need, $0) } }
    let words = ExportOrder.Words(
      place: texts["to"], secretFile: texts["secret-file"], secretVariable: texts["secret-env"],
      details: Dictionary(details) { first, _ in first }, name: { $0 })
    let client = "\(program.name)/\(program.version)"
    var order = try ExportOrder(target, words, host, client: client)
    order.choice.app = texts["app"]
    order.choice.judging = judging
    order.choice.channels = texts.list("channel")
    if let kinds = try texts.kinds() { order.kinds.formIntersection(kinds) }
    if let horizon = try texts.milliseconds("horizon") { order.choice.horizon = horizon }
    let every = try texts.milliseconds("every") ?? .minutes(5)
    guard every >= .seconds(1) else {
      throw Failure("too_often", "every is a second at least", exit: .usage)
    }
    let limit = try texts.milliseconds("timeout") ?? .seconds(30)
    return ExportKeeper.Entry(
      order: order, every: .milliseconds(every.rawValue),
      client: HTTPClient(userAgent: client, timeout: .milliseconds(limit.rawValue), trustFile: texts["trust"]))
  }
}

/// The keys of one entry as texts; their kinds were checked when the file was read.
private struct ExportTexts {
  private let table: [String: TOMLFile.Value]
  init(_ table: [String: TOMLFile.Value]) { self.table = table }

  subscript(_ key: String) -> String? {
    switch table[key] {
    case .string(let text)?: text
    case .integer(let number)?: String(number)
    default: nil
    }
  }

  func list(_ key: String) -> [String] {
    (self[key] ?? "").split(separator: ",").map { String($0.filter { $0 != " " }) }
  }

  func kinds() throws(Failure) -> Set<RolloutFact.Kind>? {
    guard self["only"] != nil else { return nil }
    var kinds: Set<RolloutFact.Kind> = []
    for word in list("only") {
      guard let kind = RolloutFact.Kind(rawValue: word) else {
        let known = RolloutFact.Kind.allCases.map(\.rawValue)
        throw Failure(
          "bad_value", "only: \(quoted(word)) is no kind of fact",
          hints: ["there are " + known.joined(separator: ", ")],
          exit: .usage)
      }
      kinds.insert(kind)
    }
    return kinds
  }

  func milliseconds(_ key: String) throws(Failure) -> Milliseconds? {
    guard let text = self[key] else { return nil }
    do throws(Misreading) { return Milliseconds(rawValue: try Console.Duration(text).rawValue) } catch {
      throw Failure("bad_value", "\(key): \(quoted(text)) \(error.problem)", hints: error.hints, exit: .usage)
    }
  }
}
