/// How far an import of a file has come, so that it can go on there after an interruption.
public struct ImportPosition: Equatable, Sendable {
  /// The file's size when the import began; another size is another file.
  public var size: Int
  public var offset: Int
  public var lines: Int
  public var index: Int

  public init(size: Int, offset: Int, lines: Int, index: Int) {
    self.size = size
    self.offset = offset
    self.lines = lines
    self.index = index
  }
}

extension Registry {
  /// - Parameter position: nil when the import is complete.
  public func setImportPosition(_ position: ImportPosition?, of path: String) throws(StoreError) {
    try write { connection throws(StoreError) in
      guard let position else {
        return try connection.prepare("DELETE FROM meta WHERE key = ?").run(.text("import " + path))
      }
      let text = "\(position.size) \(position.offset) \(position.lines) \(position.index)"
      try connection.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)").run(
        .text("import " + path), .text(text))
    }
  }

  public func importPosition(of path: String) throws(StoreError) -> ImportPosition? {
    let text = try write { connection throws(StoreError) in
      try connection.prepare("SELECT value FROM meta WHERE key = ?").first(.text("import " + path)) { $0.text(0) }
    }
    let numbers = text?.split(separator: " ").compactMap { Int($0) } ?? []
    guard numbers.count == 4 else { return nil }
    return ImportPosition(size: numbers[0], offset: numbers[1], lines: numbers[2], index: numbers[3])
  }
}
