internal import Console
internal import Ingest
internal import Locks

/// Names of fields that were not read, as far as they were looked at: each is looked at once.
final class IgnoredNames: Sendable {
  /// Clients make up names; beyond so many nobody reads the log for them.
  private static let most = 1000
  private let seen = Lock<Set<String>>([])

  /// Whether it is new.
  func isNews(_ name: String) -> Bool {
    seen.withLock { $0.count < Self.most && $0.insert(name).inserted }
  }
}

extension Service {
  /// A slip is told in the log, once: what clients grow of their own is nobody's mistake.
  func note(ignored names: [String]) {
    for name in names where ignoredNames.isNews(name) {
      guard let near = fieldSuggestion(for: name) else { continue }
      journal.write(
        .warning, "field_ignored", ["field": .string(name), "hint": .string("did you mean \"\(near)\"?")])
    }
  }
}
