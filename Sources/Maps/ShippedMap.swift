public import Console
public import Ingest

/// A map that comes with the program.
public struct ShippedMap: Sendable {
  public let name: String
  /// What it reads, in a line.
  public let about: String
  /// As it would stand in a file.
  public let text: String

  init(_ name: String, _ about: String, _ text: String) { (self.name, self.about, self.text) = (name, about, text) }

  public static let all = [ga4, posthog, segment, amplitude, snowplow] + updateServers + fcm

  public static func named(_ name: String) -> ShippedMap? { all.first { $0.name == name } }
}

extension EventMap {
  /// - Parameter path: for messages.
  public init(toml text: String, path: String) throws(Failure) {
    var reader = try MapFileReader(text, path: path)
    self = try reader.read()
  }

  /// A shipped map by its name, or a file.
  public init(_ nameOrPath: String) throws(Failure) {
    if let shipped = ShippedMap.named(nameOrPath) {
      try self.init(toml: shipped.text, path: nameOrPath)
      return
    }
    guard let bytes = try contents(of: nameOrPath, limit: 1 << 20) else { throw ShippedMap.unknown(nameOrPath) }
    try self.init(toml: String(decoding: bytes, as: UTF8.self), path: nameOrPath)
  }
}

extension ShippedMap {
  public static func unknown(_ name: String) -> Failure {
    Failure(
      "map_not_found", "there is no file \(name), and no shipped map of that name",
      suggestions: suggestions(for: name, among: all.map(\.name)),
      hints: ["list the shipped maps with: uptake import --maps"], exit: .usage)
  }
}
