/// What a receiver's answer means for the fact, and for whatever else it is to be told.
public enum Reception: Equatable, Sendable {
  case accepted
  /// The same request may be made again; not before so many seconds.
  case later(seconds: Int64)
  /// It asks for quiet: nothing at all for so many seconds.
  case quiet(seconds: Int64)
  /// The key or the place is wrong: nothing will be taken before somebody mends that.
  case misaddressed
  /// This fact will never be taken.
  case refused
}

extension ExportTarget {
  /// - Parameters:
  ///   - attempts: how often this fact was sent, this time included.
  ///   - isPage: the answer is for people to look at.
  ///   - header: the answer's headers, by name.
  public func reception(
    _ status: Int, attempts: Int, isPage: Bool = false, header: (String) -> String?
  ) -> Reception {
    let asked = header("retry-after").flatMap(Self.seconds)
    if status == 429 { return .quiet(seconds: max(rest(header) ?? asked ?? 60, Self.backoff(attempts))) }
    if (200..<300).contains(status) && isPage { return .misaddressed }
    if (200..<300).contains(status) || manners.known.contains(status) { return .accepted }
    if [401, 403, 404, 410].contains(status) { return .misaddressed }
    // Also where a protocol says otherwise, as OpenTelemetry does of 500: a server in trouble says nothing of what it was sent.
    guard status == 408 || status >= 500 else { return .refused }
    return .later(seconds: max(asked ?? 0, Self.backoff(attempts)))
  }

  /// Whether a body is a web page. No receiver answers with one: a login, a proxy or another service does, and has taken nothing. Told
  /// by how it begins, as Slack calls its "ok" HTML, too.
  public static func isPage(_ body: [UInt8]) -> Bool {
    let begin = String(decoding: body.prefix(200).drop { " \t\r\n".utf8.contains($0) }, as: UTF8.self).lowercased()
    return begin.hasPrefix("<!doctype html") || begin.hasPrefix("<html")
  }

  /// Whether an answer is about what was sent: less of it, or something else, may be taken.
  public static func isAboutContent(_ status: Int) -> Bool { [400, 413, 422].contains(status) }

  /// Seconds of quiet that any answer may ask for, also one that accepted; nil where it asks for none.
  public func rest(_ header: (String) -> String?) -> Int64? {
    header("x-sentry-rate-limits").flatMap { Self.limit($0, categories: sentryCategories) }
  }

  private var sentryCategories: Set<String> {
    name == "sentry-logs" ? ["log_item", "log_byte"] : ["error", "default"]
  }

  /// `60:error;default:organization, 2700::key`: of each limit its seconds and the categories it is about; all where
  /// none is named. The longest that is about ours.
  static func limit(_ header: String, categories: Set<String>) -> Int64? {
    header.split(separator: ",").compactMap { limit -> Int64? in
      let parts = limit.split(separator: ":", omittingEmptySubsequences: false)
      let seconds = parts.first.flatMap { Double(String($0.drop { $0 == " " })) }
      guard let seconds, seconds.isFinite, seconds >= 0, seconds < 1e9 else { return nil }
      let named = parts.count > 1 ? parts[1].split(separator: ";").map(String.init) : []
      return named.isEmpty || !categories.isDisjoint(with: named) ? Int64(seconds.rounded(.up)) : nil
    }.max()
  }

  /// Whole seconds, rounded up; Discord counts in parts of one. Longer than anybody waits is as long as that. nil where it is no
  /// number, or a negative one.
  static func seconds(_ text: String) -> Int64? {
    guard let seconds = Double(text), seconds.isFinite, seconds >= 0 else { return nil }
    return Int64(min(seconds.rounded(.up), 1e9))
  }

  /// Twice as long after each attempt: from 2 seconds to an hour.
  public static func backoff(_ attempts: Int) -> Int64 { min(3600, 1 << Int64(min(max(attempts, 1), 12))) }
}
