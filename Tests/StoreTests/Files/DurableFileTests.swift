import Foundation
import Glibc
import Lifecycle
import Testing

@testable import Store

/// Files that must be whole under their names, and never in the place of another's.
@Suite struct DurableFileTests {
  let scratch: Scratch
  var target: String { scratch.path + "/target" }
  var source: String { scratch.path + "/source" }
  init() throws {
    scratch = try Scratch()
    try write([1, 2, 3], to: source)
  }

  @Test func aFreeNameIsTaken() throws {
    #expect(try DurableFile.renameAnew(source, to: target))
    #expect(try bytes(target) == [1, 2, 3])
    #expect(try files(scratch.path) == ["target"])
  }

  enum Other: CaseIterable { case file, empty, directory, link, linkToNowhere }

  @Test(arguments: Other.allCases) func aTakenNameIsLeft(_ other: Other) throws {
    switch other {
    case .file: try write([9], to: target)
    case .empty: try write([], to: target)
    case .directory: try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
    case .link: #expect(symlink(source, target) == 0)
    case .linkToNowhere: #expect(symlink("/nowhere/at/all", target) == 0)
    }
    #expect(DurableFile.isTaken(target))
    #expect(try !DurableFile.renameAnew(source, to: target))
    #expect(try bytes(source) == [1, 2, 3])
    if other == .file { #expect(try bytes(target) == [9]) }
    let stem = scratch.path + "/target"
    #expect(symlink("/nowhere", stem + ".uptk") == 0)
    #expect(Archive.freePath(stem) == stem + "-2.uptk")
  }

  @Test func failuresSayWhich() throws {
    func kind(_ body: () throws -> Void) -> StoreError.Kind? {
      do { try body() } catch { return (error as? StoreError)?.kind }
      return nil
    }
    #expect(kind { _ = try DurableFile.renameAnew(source, to: scratch.path + "/none/x") } == .missingFile)
    #expect(kind { try DurableFile.rename(scratch.path + "/none", to: target) } == .missingFile)
    errno = ENOSPC
    #expect(DurableFile.failure(target).kind == .full)
    errno = EROFS
    #expect(DurableFile.failure(target).kind == .readOnly)
  }

  /// What a killed program left is emptied; what a running one writes is not touched.
  @Test func aPartHasOneWriter() throws {
    try write([7, 7, 7], to: target)
    do {
      let part = try PartFile(target)
      #expect(DiskSpace.size(target) == 0)
      try part.write([1, 2])
      #expect {
        _ = try PartFile(target)
      } throws: { ($0 as? StoreError)?.kind == .locked }
      #expect(try bytes(target) == [1, 2])
      var status = stat()
      #expect(stat(target, &status) == 0 && status.st_mode & 0o077 == 0 || DiskSpace.size(target) == 2)
      _ = part
    }
    _ = try PartFile(target)
    #expect(DiskSpace.size(target) == 0)
  }

  @Test func aFileInNoFolderIsNotBegun() {
    for folder in ["/none", "/none/deeper"] {
      #expect(throws: StoreError(.missingDirectory, path: scratch.path + folder + "/b")) {
        _ = try PartFile(scratch.path + folder + "/b.part")
      }
    }
  }

  @Test func aPartIsNoLink() throws {
    #expect(symlink(source, target) == 0)
    #expect(throws: StoreError.self) { _ = try PartFile(target) }
    #expect(try bytes(source) == [1, 2, 3])
  }

  @Test func aDatabaseIsNoBackupOfItself() throws {
    let fleet = SmallFleet(50, seed: 1)
    try store([fleet.batch], in: scratch.database)
    #expect(symlink(scratch.database, scratch.path + "/link") == 0)
    for name in [scratch.database, scratch.path + "/link", scratch.path + "/./test.db"] {
      #expect(throws: StoreError(.refused(.itself), path: name)) {
        try Backup.make(of: scratch.database, at: name, replacing: true, now: Timestamp(rawValue: 1))
      }
    }
    try expectHolds(scratch.database, [fleet.batch])
  }
}
