public import Lifecycle

/// Looks a database over, without changing anything in it.
public struct Examination: Sendable {
  public var path: String
  public var now: Timestamp
  /// Every page and every shard, instead of a quick look and a sample.
  public var isFull: Bool
  /// Below so many free bytes a service refuses events.
  public var leastFree = 64 << 20

  public init(path: String, now: Timestamp, isFull: Bool) {
    (self.path, self.now, self.isFull) = (path, now, isFull)
  }

  /// What each check finds, in the order of the table. A check that cannot be made has failed.
  public func findings() -> [Finding] {
    var findings = Self.ofTheFile.map { check in Finding(check.name, check.run(self)) }
    do throws(StoreError) {
      let connection = try Connection(path: path, mode: .read)
      let schema = try Schema.check(connection)
      if schema == 0 { throw StoreError(.emptyFile, path: path) }
      for check in Self.ofTheContents where schema == Schema.known || check.isOfAnySchema {
        findings.append(Finding(check.name, attempt { () throws(StoreError) in try check.run(self, connection) }))
      }
    } catch {
      findings.append(Finding("open", .fail, error.description, fix: fix(error)))
    }
    return findings
  }

  private func attempt(_ body: () throws(StoreError) -> Word) -> Word {
    do throws(StoreError) { return try body() } catch { return .fail(error.description, fix: fix(error)) }
  }

  private func fix(_ error: StoreError) -> Remedy { error.hint }

  private struct FileCheck: Sendable {
    var name: String
    var run: @Sendable (Examination) -> Word
  }
  private struct ContentCheck: Sendable {
    var name: String
    /// Whether it asks for nothing that an earlier schema lacks.
    var isOfAnySchema = false
    var run: @Sendable (Examination, borrowing Connection) throws(StoreError) -> Word
  }

  private static let ofTheFile = [
    FileCheck(name: "permissions") { FileChecks.permissions($0.path) },
    FileCheck(name: "free disk") { FileChecks.freeDisk($0.path, least: $0.leastFree) },
    FileCheck(name: "reserve") { FileChecks.reserve($0.path) },
    FileCheck(name: "write-ahead log") { FileChecks.log($0.path) },
    FileCheck(name: "readers") { FileChecks.readers($0.path) },
  ]

  private static let ofTheContents = [
    ContentCheck(name: "schema", isOfAnySchema: true) { _, connection throws(StoreError) in
      try ContentChecks.schema(connection)
    },
    ContentCheck(name: "integrity", isOfAnySchema: true) { examination, connection throws(StoreError) in
      try ContentChecks.integrity(connection, isFull: examination.isFull)
    },
    ContentCheck(name: "identity keys", isOfAnySchema: true) { _, connection throws(StoreError) in
      try ContentChecks.identityKeys(connection)
    },
    ContentCheck(name: "access keys") { _, connection throws(StoreError) in try ContentChecks.accessKeys(connection) },
    ContentCheck(name: "new devices") { examination, connection throws(StoreError) in
      try ContentChecks.newDevices(connection, now: examination.now)
    },
    ContentCheck(name: "histories") { examination, connection throws(StoreError) in
      try ContentChecks.histories(connection, isFull: examination.isFull)
    },
    ContentCheck(name: "lateness") { _, connection throws(StoreError) in try ContentChecks.lateness(connection) },
    ContentCheck(name: "clock") { examination, connection throws(StoreError) in
      try ContentChecks.clock(connection, now: examination.now)
    },
    ContentCheck(name: "fold") { examination, connection throws(StoreError) in
      try FoldChecks.lag(connection, now: examination.now)
    },
    ContentCheck(name: "shards") { examination, _ throws(StoreError) in try FoldChecks.shards(examination) },
    ContentCheck(name: "references") { _, connection throws(StoreError) in try ContentChecks.references(connection) },
    ContentCheck(name: "stages") { _, connection throws(StoreError) in try ContentChecks.stages(connection) },
    ContentCheck(name: "releases") { _, connection throws(StoreError) in try ContentChecks.releases(connection) },
    ContentCheck(name: "archives") { examination, connection throws(StoreError) in
      try FoldChecks.archives(connection, isFull: examination.isFull)
    },
    ContentCheck(name: "retention") { examination, connection throws(StoreError) in
      try ContentChecks.retention(connection, now: examination.now)
    },
    ContentCheck(name: "forgotten devices") { examination, connection throws(StoreError) in
      try ContentChecks.forgotten(connection, path: examination.path)
    },
    ContentCheck(name: "exports") { examination, connection throws(StoreError) in
      try ContentChecks.exports(connection, now: examination.now)
    },
    ContentCheck(name: "backup") { examination, connection throws(StoreError) in
      try ContentChecks.backup(connection, now: examination.now)
    },
    ContentCheck(name: "copy") { examination, _ throws(StoreError) in
      ContentChecks.copy(examination.path, now: examination.now)
    },
  ]
}

extension Finding {
  fileprivate init(_ check: String, _ word: Word) { self.init(check, word.verdict, word.found, fix: word.fix) }
}
