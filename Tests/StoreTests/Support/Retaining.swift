import Foundation
import Lifecycle
import Testing

@testable import Store

extension Scratch {
  var archives: String { path + "/archives" }

  /// Takes out what was received before, into archives or away. Answers how many events.
  @discardableResult
  func retain(before: Int64, dropping: Bool = false, in database: String? = nil) throws -> Int64 {
    try FileManager.default.createDirectory(atPath: archives, withIntermediateDirectories: true)
    let log = try EventLog(path: database ?? self.database)
    try log.foldAll()
    return try log.retain(before: Timestamp(rawValue: before), archives: dropping ? nil : archives).events
  }

  /// Puts archives back, each as a rehearsal says, and folds. Answers what became of each.
  @discardableResult
  func putBack(_ names: [String]? = nil, in database: String? = nil) throws -> [PutBack] {
    let log = try EventLog(path: database ?? self.database)
    let done = try (names ?? files(archives)).map { name in
      let rehearsed = try Rehearsal(path: database ?? self.database, window: 1000).putBack(
        archive: archives + "/" + name)
      let done = try log.putBack(archive: archives + "/" + name)
      #expect(rehearsed == done, "\(name)")
      return done
    }
    try log.foldAll()
    return done
  }

  func backup(_ name: String) throws {
    _ = try Backup.make(
      of: database, at: path + "/" + name, replacing: true, now: Timestamp(rawValue: SmallFleet.start))
  }

  /// In the place of the database.
  @discardableResult
  func restore(_ name: String) throws -> Restore {
    var options = Restore.Options()
    options.replaces = true
    return try Restore.run(path + "/" + name, to: database, options, now: Timestamp(rawValue: SmallFleet.start))
  }
}
