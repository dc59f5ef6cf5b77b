import Console

/// A page as data: which panels, in which order, with which options.
struct PageDefinition: Equatable, Sendable {
  struct Entry: Equatable, Sendable {
    var panel: String
    var title: String?
    /// Seconds.
    var horizon: Double?
  }
  /// Of the site (one page), or of every release.
  var scope: String
  /// `index.html`; of a release's page `release/{release}/{channel}.html`, or `release/{release}.html` for its lead channel only.
  var path: String
  var title: String
  var panels: [Entry]
}

/// A page's file that cannot be used; the words name the file, the panel and what is permitted.
public struct PageError: Error, Equatable, CustomStringConvertible {
  public var file: String
  public var problem: String
  public var description: String { "\(file): \(problem)" }
}

extension PageDefinition {
  private struct File: Decodable {
    var scope: String?
    var path: String
    var title: String
    var panels: [Entry]
    struct Entry: Decodable {
      var panel: String
      var options: [String: String]?
    }
  }

  /// - Parameter file: its name, for errors.
  init(_ json: String, file: String) throws(PageError) {
    let read: File
    do { read = try JSON.decode(File.self, from: Array(json.utf8)) } catch {
      throw PageError(file: file, problem: Self.words(error))
    }
    guard let scope = Panel.Scope(rawValue: read.scope ?? "site") else {
      throw PageError(file: file, problem: "scope \"\(read.scope ?? "")\" is not one of: site, release")
    }
    (self.scope, path, title) = (scope.rawValue, read.path, read.title)
    panels = []
    for (index, entry) in read.panels.enumerated() {
      panels.append(try Self.checked(entry.panel, entry.options ?? [:], scope, "panel \(index + 1)", file))
    }
    try checkPath(scope, file)
  }

  private static func checked(
    _ name: String, _ options: [String: String], _ scope: Panel.Scope, _ place: String, _ file: String
  ) throws(PageError) -> Entry {
    let permitted = Panel.all.filter { $0.scope == .site || scope == .release }
    guard let panel = permitted.first(where: { $0.name == name }) else {
      let names = permitted.map(\.name).sorted().joined(separator: ", ")
      throw PageError(
        file: file, problem: "\(place): \"\(name)\" is no panel of a \(scope.rawValue) page; it can be: \(names)")
    }
    var entry = Entry(panel: name)
    for (key, value) in options.sorted(by: { $0.key < $1.key }) {
      guard let option = Panel.Option(rawValue: key), panel.options.contains(option) else {
        let names = panel.options.map(\.rawValue).joined(separator: ", ")
        throw PageError(
          file: file,
          problem: "\(place), \(name): \"\(key)\" is no option; it can be: \(names.isEmpty ? "none" : names)")
      }
      switch option {
      case .title: entry.title = value
      case .horizon:
        guard let seconds = seconds(value) else {
          throw PageError(
            file: file, problem: "\(place), \(name): horizon \"\(value)\" is no length of time such as 72h or 14d")
        }
        entry.horizon = seconds
      }
    }
    return entry
  }

  private func checkPath(_ scope: Panel.Scope, _ file: String) throws(PageError) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let hasChannel = scope == .release && path.hasSuffix("{release}" + Self.channelPart)
    guard path.hasSuffix(".html"), parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") }),
      parts.count <= (hasChannel ? 3 : 2)
    else {
      throw PageError(file: file, problem: "path \"\(path)\" is not like page.html or folder/page.html")
    }
    guard path.contains("{channel}") == hasChannel else {
      throw PageError(
        file: file, problem: "path \"\(path)\" may name {channel} only at its end: {release}/{channel}.html")
    }
    guard path.contains("{release}") == (scope == .release) else {
      throw PageError(
        file: file, problem: "path \"\(path)\" must contain {release} in pages of a release, and only there")
    }
  }

  static let channelPart = "/{channel}.html"

  /// Where the release's page lies: on its own channel, and of the lead channel also at the address that names no channel.
  func paths(_ facts: ReleaseFacts) -> [String] {
    let named = path.replacing("{release}", with: Name(facts.label).fileName)
    let lead = facts.isLead ? [named.replacing(Self.channelPart, with: ".html")] : []
    guard path.hasSuffix(Self.channelPart) else { return lead }
    return [named.replacing("{channel}", with: Name(facts.channel).fileName)] + lead
  }

  private static func seconds(_ text: String) -> Double? {
    let units = ["m": 60.0, "h": 3600.0, "d": 86_400.0]
    guard let unit = text.last.flatMap({ units[String($0)] }), let number = Double(text.dropLast()), number > 0,
      number < 10_000
    else { return nil }
    return number * unit
  }

  private static func words(_ error: any Error) -> String {
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      "\(place(context))\"\(key.stringValue)\" is missing"
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      "\(place(context))is not of the right type"
    default: "is not JSON"
    }
  }

  private static func place(_ context: DecodingError.Context) -> String {
    let path = context.codingPath.map { key in key.intValue.map { "panel \($0 + 1)" } ?? key.stringValue }
    return path.isEmpty ? "" : path.joined(separator: ", ") + ": "
  }
}
