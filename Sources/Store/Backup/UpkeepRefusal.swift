/// Why an operation on whole files was not done. The path is the error's.
public enum UpkeepRefusal: Hashable, Sendable {
  case exists
  /// A copy of a database would take its place, beside a write-ahead log that is not its own.
  case itself
  case backupMissing
  case noChecksum
  case checksumDiffers(expected: String, found: String)
  case inUse(processes: [Int])
  /// Stored shards are not what their events fold to.
  case shardsDiffer(tables: [String])
  case foreignArchive
  case damagedArchive(String)
  case archiveMissing
  /// Nothing of the path is missing.
  case archiveNotLost
  /// The disk that a folder of archives was on is not there: so are these.
  case archivesAway(mount: String)
  /// It can neither be made nor used.
  case noArchiveFolder(why: String)
  /// What would be written lay below the mount point of a disk that archives were written to before.
  case archiveDiskAway(mount: String)
  case eventsGone(upTo: Int64, watermark: Int64)
  /// The path is the place that facts or events are sent to.
  case alreadySending(process: Int?)

  func words(_ path: String) -> String {
    switch self {
    case .exists: "\(path) exists already"
    case .itself: "\(path) is the database itself"
    case .backupMissing: "there is no backup at \(path)"
    case .noChecksum: "there is no checksum beside \(path)"
    case .checksumDiffers(let expected, let found):
      "\(path) is damaged: its SHA-256 is \(found.prefix(16))…, \(expected.prefix(16))… was written beside it"
    case .inUse(let processes):
      "\(path) is open in \(FileUsers.words(processes))"
    case .shardsDiffer(let tables):
      "\(path) disagrees with itself: \(tables.joined(separator: ", ")) differ from a fresh fold of the events"
    case .foreignArchive: "\(path) holds events of another database"
    case .damagedArchive(let why): "\(path) is not a whole archive of events: \(why)"
    case .archiveMissing: "the archive \(path) is not there"
    case .archiveNotLost: "\(path) is no archive that is missing, and no folder of such"
    case .archivesAway(let mount):
      "the disk of \(path), mounted at \(mount) when archives were written last, is not mounted"
    case .noArchiveFolder(let why): "cannot create \(path) for archives: \(why)"
    case .archiveDiskAway(let mount):
      "the disk of \(path), mounted at \(mount) when archives were written last, is not mounted"
    case .eventsGone(let last, let watermark):
      "\(path) cannot fold from event \(watermark) on: events up to \(last) were removed"
    case .alreadySending(let process):
      "\(process.map { "process \($0)" } ?? "another process") is sending to \(path)"
    }
  }

  var hint: Remedy {
    switch self {
    case .exists: "give another name, or --force"
    case .itself: "give another name"
    case .backupMissing:
      "name the file that `uptake backup` wrote, or the folder or the s3:// address of `uptake replicate`"
    case .noChecksum: "if you trust the file, make it: sha256sum FILE > FILE.sha256"
    case .checksumDiffers: "use another backup; this one was not copied whole or its disk is failing"
    case .inUse: "stop that process first; a backup may go to another path instead"
    case .shardsDiffer: "use another backup, and please report this"
    case .foreignArchive: "an archive goes back into the database it came from, or a backup of it"
    case .damagedArchive: "copy the archive again from where it was kept"
    case .archiveMissing: "put it back where it was"
    case .archiveNotLost:
      "\(command: "doctor") names those that are missing; one that is there and damaged for good is deleted first"
    case .archivesAway:
      "mount it; where it is lost for good, take its archives as lost one by one: --dry-run --json lists them"
    case .noArchiveFolder:
      "name a folder below one that is there, and that this user may write; a unit of systemd permits it by ReadWritePaths="
    case .archiveDiskAway: "mount it, or name another folder: no event leaves the database until then"
    case .eventsGone: "restore a backup; this file's shards and events do not belong together"
    case .alreadySending: "run it again once that process is done: nothing of what waits is lost"
    }
  }

  public var code: String {
    switch self {
    case .exists: "exists"
    case .itself: "same_file"
    case .backupMissing: "database_missing"
    case .noChecksum: "checksum_missing"
    case .checksumDiffers: "checksum_differs"
    case .inUse: "database_in_use"
    case .shardsDiffer: "shards_differ"
    case .foreignArchive: "foreign_archive"
    case .damagedArchive: "archive_damaged"
    case .archiveMissing: "archive_missing"
    case .archiveNotLost: "archive_not_lost"
    case .noArchiveFolder: "no_directory"
    case .archiveDiskAway, .archivesAway: "not_mounted"
    case .eventsGone: "events_gone"
    case .alreadySending: "already_sending"
    }
  }

  /// Whether the database or backup itself is unusable.
  public var isOfTheFile: Bool {
    switch self {
    case .backupMissing, .checksumDiffers, .shardsDiffer, .eventsGone, .damagedArchive: true
    case .exists, .itself, .noChecksum, .inUse, .foreignArchive, .archiveMissing, .archiveNotLost, .archivesAway,
      .noArchiveFolder, .archiveDiskAway, .alreadySending:
      false
    }
  }
}
