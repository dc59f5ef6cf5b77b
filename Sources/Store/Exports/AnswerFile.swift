import Glibc

/// Answers as rows of a file of their own, for programs that speak SQL. It holds figures and no device, and no key.
public struct AnswerFile: Sendable {
  /// A line of an answer's table.
  public struct Line: Sendable {
    public var question: String
    public var app: String
    public var release: String
    /// In the order of the answer.
    public var position: Int
    /// A JSON object: a value for each column.
    public var value: String

    public init(question: String, app: String, release: String, position: Int, value: String) {
      (self.question, self.app, self.release) = (question, app, release)
      (self.position, self.value) = (position, value)
    }
  }

  /// Of when the answers are and who made them, by name.
  public var about: [(name: String, value: String)]
  public var lines: [Line]

  public init(about: [(name: String, value: String)], lines: [Line]) { (self.about, self.lines) = (about, lines) }

  private static let applicationID: Int64 = 1_970_304_097

  /// Writes it whole under its name or not at all, in the place of an earlier file of answers, and of nothing else.
  ///
  /// Who has the earlier one open goes on reading that.
  public func write(to path: String) throws(StoreError) {
    try Self.requireReplaceable(path)
    let part = path + ".part"
    let file = try PartFile(part)
    do throws(StoreError) {
      try fill(part)
      try DurableFile.rename(part, to: path)
    } catch {
      unlink(part)
      throw error
    }
    _ = file
  }

  private func fill(_ path: String) throws(StoreError) {
    let connection = try Connection(path: path, mode: .write)
    try connection.execute("PRAGMA journal_mode = OFF")
    try connection.execute(Self.schema)
    let note = try connection.prepare("INSERT INTO about VALUES (?, ?)")
    let insert = try connection.prepare("INSERT INTO line VALUES (?, ?, ?, ?, ?)")
    try connection.transaction { () throws(StoreError) in
      for entry in about { try note.run(.text(entry.name), .text(entry.value)) }
      for line in lines {
        try insert.run(
          .text(line.question), .text(line.app), .text(line.release), .integer(Int64(line.position)), .text(line.value))
      }
    }
  }

  private static func requireReplaceable(_ path: String) throws(StoreError) {
    guard DurableFile.exists(path) else { return }
    let found = try? Connection(path: path, mode: .read).integer("PRAGMA application_id")
    guard found == applicationID else { throw StoreError(.refused(.exists), path: path) }
  }
}
