public import Lifecycle

/// What somebody did to a database, or to the service over it.
public struct AuditEntry: Equatable, Sendable {
  public enum Act: String, CaseIterable, Sendable {
    /// A publication was registered, or corrected.
    case publish
    /// A publication was taken back.
    case withdraw
    case forget
    /// What the deletion log named was forgotten: after an interruption, or in a backup from before.
    case forgetAgain = "forget-again"
    /// Archives were taken as gone for good.
    case loseArchives = "archives-lost"
    case createKey = "key-create"
    case revokeKey = "key-revoke"
    /// A service began with other settings than the one before.
    case serve
    case restore
  }

  /// What an entry says of its act. Never a secret, and nothing of a single device.
  public struct Fact: Equatable, Sendable {
    public enum Value: Hashable, Sendable {
      case text(String)
      case number(Int64)
    }
    public var name: String
    public var value: Value

    public init(_ name: String, _ text: String) { (self.name, value) = (name, .text(text)) }
    public init(_ name: String, _ number: Int64) { (self.name, value) = (name, .number(number)) }
    /// Nothing where there is no text.
    init?(_ name: String, ifSaid text: String?) {
      guard let text else { return nil }
      self.init(name, text)
    }
  }

  /// Numbers rise with the order in which things were done.
  public var id: Int64
  public var at: Timestamp
  public var act: String
  /// nil where it was about the whole service.
  public var app: String?
  public var author: Author
  public var facts: [Fact]
}

extension AuditEntry {
  /// Within the transaction of the act, so that there is neither without the other.
  static func write(
    _ act: Act, by author: Author, at: Timestamp, app: String? = nil, _ facts: [Fact?],
    _ connection: borrowing Connection
  ) throws(StoreError) {
    var (key, user) = (Int64?.none, String?.none)
    switch author {
    case .key(let number): key = number
    case .user(let name): user = name
    case .anybodyHere: break
    }
    let named = app.flatMap { $0.isEmpty ? nil : $0 }
    try connection.prepare("INSERT INTO audit (at, act, app, key, os_user, facts) VALUES (?, ?, ?, ?, ?, ?)").run(
      .integer(at.rawValue), .text(act.rawValue), .optional(named), .optional(key), .optional(user),
      .text(try document(facts.compactMap(\.self), connection)))
  }

  /// As a JSON object; SQLite writes and reads it.
  static func document(_ facts: [Fact], _ connection: borrowing Connection) throws(StoreError) -> String {
    let put = try connection.prepare(#"SELECT json_set(?1, '$."' || ?2 || '"', ?3)"#)
    var document = "{}"
    for fact in facts {
      let value: Value =
        switch fact.value {
        case .text(let text): .text(text)
        case .number(let number): .integer(number)
        }
      document = try put.first(.text(document), .text(fact.name), value) { $0.text(0) } ?? document
    }
    return document
  }
}
