public import Console
internal import HTTP
internal import Lifecycle
public import Report

/// What is to be exported where: from the command line, or from an `[[export]]` of the settings.
public struct ExportOrder: Sendable {
  public var target: ExportTarget
  public var destination: Destination
  public var redaction: Redaction
  public var choice = RolloutChoice()
  public var kinds: Set<RolloutFact.Kind>

  /// Where the words of an order stand, for errors.
  public struct Words {
    public var place: String?
    public var secretFile: String?
    public var secretVariable: String?
    public var details: [ExportTarget.Need: String] = [:]
    /// How an error names a setting, such as `--to` or `to in [[export]]`.
    public var name: @Sendable (String) -> String

    public init(
      place: String?, secretFile: String?, secretVariable: String?, details: [ExportTarget.Need: String],
      name: @escaping @Sendable (String) -> String
    ) {
      (self.place, self.secretFile, self.secretVariable) = (place, secretFile, secretVariable)
      (self.details, self.name) = (details, name)
    }
  }

  public init(_ target: ExportTarget, _ words: Words, _ host: Host, client: String) throws(Failure) {
    let secret = try Self.secret(target, words, host)
    let named = target.placeVariable.flatMap { host.environment[$0] }.flatMap { $0.isEmpty ? nil : $0 }
    let place = words.place ?? named ?? target.defaultPlace
    (destination, redaction) = try Self.destination(target, words, secret, place, client)
    for need in target.needs where destination.details[need] == nil {
      throw Failure(
        "missing_option", "\(target.name) needs the \(need.rawValue) that it is for",
        hints: ["give it with \(words.name(need.rawValue))"], exit: .usage)
    }
    if let idle = words.details.keys.first(where: { !(target.needs + target.mayHave).contains($0) }) {
      throw Failure(
        "unused_option", "\(target.name) has no use for \(words.name(idle.rawValue))", hints: ["leave it away"],
        exit: .usage)
    }
    if target.mayHave.contains(.encoding) { destination.details[.encoding] = try Self.encoding(words, host) }
    self.target = target
    kinds = target.kinds
  }

  /// From a file or from the environment, nowhere else: a command line is seen by everybody, settings are copied around.
  private static func secret(_ target: ExportTarget, _ words: Words, _ host: Host) throws(Failure) -> String? {
    if let path = words.secretFile {
      guard let bytes = try host.readFile(path) else {
        throw Failure("file_missing", "there is no file \(path)", place: words.name("secret-file"), exit: .usage)
      }
      return try trimmed(String(decoding: bytes, as: UTF8.self), path)
    }
    guard let variable = words.secretVariable ?? target.secretVariable else { return nil }
    if let text = host.environment[variable], !text.isEmpty { return try trimmed(text, variable) }
    guard words.secretVariable != nil || target.isSecretNeeded else { return nil }
    throw Failure(
      "no_secret", "\(target.title) needs a secret, and \(variable) is not set",
      hints: ["put it into a file and name that with \(words.name("secret-file"))", "or set \(variable)"], exit: .usage)
  }

  private static func encoding(_ words: Words, _ host: Host) throws(Failure) -> String {
    let known = ExportTarget.Encoding.allCases.map(\.rawValue)
    let variable = ExportTarget.Encoding.variable
    let name = words.details[.encoding] == nil ? variable : words.name(ExportTarget.Need.encoding.rawValue)
    let word = words.details[.encoding] ?? host.environment[variable].flatMap { $0.isEmpty ? nil : $0 } ?? known[0]
    guard known.contains(word) else {
      throw Failure(
        "bad_value", "\(name): \(quoted(word)) is not spoken here",
        hints: ["there are \(known.joined(separator: " and "))"], exit: .usage)
    }
    return word
  }

  private static func trimmed(_ text: String, _ place: String) throws(Failure) -> String {
    let secret = String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    guard !secret.isEmpty, !secret.contains(where: \.isNewline) else {
      throw Failure("no_secret", "\(place) does not hold a secret in one line", exit: .usage)
    }
    return secret
  }

  private static func destination(
    _ target: ExportTarget, _ words: Words, _ secret: String?, _ place: String?, _ client: String
  ) throws(Failure) -> (Destination, Redaction) {
    if target.secretVariable == "SENTRY_DSN" {
      guard let found = Destination(dsn: secret ?? "", details: words.details, client: client) else {
        throw Failure(
          "bad_dsn", "the secret of \(target.name) is no DSN", why: "it is not of the form https://KEY@HOST/PROJECT",
          hints: ["copy it from the project's settings, Client Keys"], exit: .usage)
      }
      return (found, Redaction([secret ?? "", found.secret]))
    }
    if target.isWebhook { return try webhook(target, words, secret ?? "", client) }
    guard let place else {
      let variable = target.placeVariable.map { ["or set \($0)"] } ?? []
      throw Failure(
        "no_place", "\(target.title) has no usual place, and none is named",
        hints: ["name it with \(words.name("to")) URL"] + variable, exit: .usage)
    }
    guard let address = WebAddress(place), !address.path.contains("?") else {
      throw Failure(
        "bad_url", "\(quoted(shown(place, secret))) is no address to send to", place: words.name("to"),
        why: place.contains("?") ? "a receiver is named without a query" : nil,
        hints: ["write it like https://host:port/path; a key goes into the secret"], exit: .usage)
    }
    let values = target.name == "otlp" ? ExportTarget.secrets(ofHeaders: secret ?? "") : []
    return (
      Destination(place: place, secret: secret ?? "", details: words.details, client: client),
      Redaction([secret ?? ""] + values)
    )
  }

  /// An address that is itself the secret: of it only the host is ever named.
  private static func webhook(
    _ target: ExportTarget, _ words: Words, _ secret: String, _ client: String
  ) throws(Failure) -> (Destination, Redaction) {
    guard words.place == nil else {
      throw Failure(
        "unused_option", "\(target.name) has no use for \(words.name("to"))",
        why: "the address that messages go to is the secret", hints: ["leave it away"], exit: .usage)
    }
    guard let address = WebAddress(secret) else {
      throw Failure(
        "bad_webhook", "the secret of \(target.name) is not the address of a webhook",
        why: "it does not look like https://host/path", hints: ["copy it whole from \(target.title)"], exit: .usage)
    }
    if let pages = words.details[.pagesURL] {
      guard let pages = WebAddress(pages), !pages.path.contains("?") else {
        throw Failure(
          "bad_url", "\(quoted(pages)) is not where pages can be",
          place: words.name(ExportTarget.Need.pagesURL.rawValue),
          hints: ["write it like https://uptake.example.com"], exit: .usage)
      }
    }
    let place = (address.isSecure ? "https://" : "http://") + address.authority
    return (
      Destination(place: place, secret: secret, details: words.details, client: client),
      // A path that is nothing but a slash is no secret, and stands in everything.
      Redaction([secret, "\(address)", address.path.count > 1 ? address.path : ""])
    )
  }

  /// Without what may be a key: a user's name and password, a query.
  private static func shown(_ place: String, _ secret: String?) -> String {
    let start = place.prefix { $0 != "?" && $0 != "#" }
    let withoutUser = start.lastIndex(of: "@").map { "…" + start[$0...] } ?? String(start)
    return Redaction([secret ?? ""])(withoutUser)
  }
}
