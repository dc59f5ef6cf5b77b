import Foundation
import Testing

@testable import Store

/// Every page of a file ends with its checksum; its log must be empty.
func expectChecksums(
  _ path: String, _ note: @autoclosure () -> String = "", sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let file = try PageFile(path: path)
  #expect(file.usable == file.pageSize - 8, "\(note())", sourceLocation: sourceLocation)
  let without = (1...max(1, file.pages)).filter { !file.holdsChecksum($0) }
  #expect(without == [], "\(note())", sourceLocation: sourceLocation)
}

/// Runs SQLite's own program, which knows no checksums.
func otherProgram(_ path: String, _ sql: String) throws {
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/sqlite3")
  process.arguments = [path, sql]
  process.standardOutput = FileHandle.nullDevice
  try process.run()
  process.waitUntilExit()
  #expect(process.terminationStatus == 0)
}
