/// What one rule says of a payload or of an app's files.
public struct Ruling: Equatable, Sendable {
  /// How much it matters. The raw values are part of the JSON.
  public enum Verdict: String, CaseIterable, Sendable {
    /// The rule holds.
    case pass
    /// Worth knowing, or not to be told from what was given.
    case note
    /// It works, but not always, or not everywhere.
    case warn
    /// It does not work.
    case fail
  }

  /// The stable name of the rule.
  public var rule: String
  public var verdict: Verdict
  /// Where: a key, a header, a file with its key.
  public var place: String
  /// What stands there.
  public var found: String
  /// Why the rule is one.
  public var why: String
  /// What to do; nil where nothing is to be done.
  public var fix: String?
}

/// One rule: what it looks at, and why. The list of rules is the policy.
struct Rule<Subject>: Sendable {
  let name: String
  let why: String
  private let judge: @Sendable (Subject) -> [Remark]

  init(_ name: String, why: String, judge: @escaping @Sendable (Subject) -> [Remark]) {
    (self.name, self.why, self.judge) = (name, why, judge)
  }

  func rulings(_ subject: Subject) -> [Ruling] {
    judge(subject).map {
      Ruling(rule: name, verdict: $0.verdict, place: $0.place, found: $0.found, why: why, fix: $0.fix)
    }
  }
}

/// What a rule found in one place.
struct Remark {
  let verdict: Ruling.Verdict
  let place: String
  let found: String
  let fix: String?

  static func pass(_ place: String, _ found: String) -> [Remark] {
    [Remark(verdict: .pass, place: place, found: found, fix: nil)]
  }
  static func note(_ place: String, _ found: String, fix: String? = nil) -> [Remark] {
    [Remark(verdict: .note, place: place, found: found, fix: fix)]
  }
  static func warn(_ place: String, _ found: String, fix: String) -> [Remark] {
    [Remark(verdict: .warn, place: place, found: found, fix: fix)]
  }
  static func fail(_ place: String, _ found: String, fix: String) -> [Remark] {
    [Remark(verdict: .fail, place: place, found: found, fix: fix)]
  }
}
