/// What one check of a database found.
public struct Finding: Equatable, Sendable {
  public enum Verdict: String, CaseIterable, Sendable { case ok, warn, fail }

  public var check: String
  public var verdict: Verdict
  public var found: String
  /// What to do; nil where all is well.
  public var fix: Remedy?

  public init(_ check: String, _ verdict: Verdict, _ found: String, fix: Remedy? = nil) {
    (self.check, self.verdict, self.found, self.fix) = (check, verdict, found, fix)
  }
}

/// `1 event waits`, `2 events wait`.
func counted(_ count: Int, one: String, many: String) -> String { "\(count) \(count == 1 ? one : many)" }

/// What a check says, before it is known by name.
struct Word {
  var verdict: Finding.Verdict
  var found: String
  var fix: Remedy?

  static func ok(_ found: String) -> Word { Word(verdict: .ok, found: found) }
  static func warn(_ found: String, fix: Remedy) -> Word { Word(verdict: .warn, found: found, fix: fix) }
  static func fail(_ found: String, fix: Remedy) -> Word { Word(verdict: .fail, found: found, fix: fix) }
}
