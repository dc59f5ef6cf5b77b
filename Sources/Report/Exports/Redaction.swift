internal import Console
internal import Lifecycle

/// Takes secrets out of whatever is printed, stored or logged.
public struct Redaction: Sendable {
  private let secrets: [String]

  /// - Parameter secrets: each also in the forms that it takes in a URL and in JSON; the longest first, as one may hold
  ///   another.
  public init(_ secrets: [String]) {
    let all = secrets.filter { !$0.isEmpty }.flatMap { [$0, percentEncoded($0), Self.quoted($0)] }
    self.secrets = Set(all).sorted { ($1.count, $0) < ($0.count, $1) }
  }

  /// As a string of JSON has it, without its quotes.
  private static func quoted(_ text: String) -> String { String(JSON.string(text).text().dropFirst().dropLast()) }

  public func callAsFunction(_ text: String) -> String {
    let bytes = secrets.reduce(Array(text.utf8)) { $0.replacing($1.utf8, with: "(withheld)".utf8) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
