import CSQLite

/// What went wrong with the database, in facts. `description` is one sentence with what, where and why; `hint` what to do.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Kind: Hashable, Sendable {
    case missingDirectory, missingFile, emptyFile, notADatabase, notAnUptakeDatabase, corrupt, readOnly, locked, full,
      inputOutput
    case newer(found: Int, known: Int)
    case older(found: Int, known: Int)
    case noRoomForSnapshot(needed: Int, free: Int)
    case refused(UpkeepRefusal)
    /// Of a continuous copy; the path is its address.
    case copy(CopyProblem)
    /// A reading was given up: see `Patience`.
    case tookTooLong
    /// Of an engine that is no file.
    case remote(RemoteProblem)
    /// The address of such an engine where only a file will do.
    case noFile
    case statement(code: Int32)
  }
  public var kind: Kind
  public var path: String
  /// SQLite's own words, or the system's.
  public var reason: String

  /// Whether what was to be stored is at fault, such as a value that a constraint forbids: the same transaction fails
  /// again, and others do not. A full disk or a broken file is nobody's fault who asks.
  public var blamesContent: Bool {
    guard case .statement(let code) = kind else { return false }
    return Self.contentCodes.contains(code)
  }

  /// Of constraints only those on values. Keys are given here: one that is taken or missing is no sender's fault.
  private static let contentCodes: Set<Int32> = {
    func constraint(_ number: Int32) -> Int32 { SQLITE_CONSTRAINT | number << 8 }
    let (check, notNull, trigger, type) = (constraint(1), constraint(5), constraint(7), constraint(12))
    return [check, notNull, trigger, type, SQLITE_TOOBIG, SQLITE_MISMATCH]
  }()

  /// The reason of `notADatabase` where there is no file.
  static let folder = "it is a folder"

  private var isOfService: Bool { path.hasPrefix("http://") || path.hasPrefix("https://") }

  public init(_ kind: Kind, path: String, reason: String = "") {
    self.kind = kind
    self.path = path
    self.reason = reason
  }

  public var description: String {
    switch kind {
    case .missingDirectory: "cannot create \(path): its directory does not exist"
    case .missingFile where BesideDatabase(path: path) != nil: "\(path) is gone: \(reason)"
    case .missingFile: "there is no database at \(path)" + (reason.isEmpty ? "" : ": \(reason)")
    case .emptyFile: "\(path) holds nothing: nothing was ever stored in it, or it was emptied"
    case .notADatabase where reason == Self.folder: "\(path) is a folder, not a database"
    case .notADatabase: "\(path) is not a database"
    case .notAnUptakeDatabase: "\(path) is a SQLite database, but not one of Uptake's"
    case .corrupt: "\(path) is damaged: \(reason)"
    case .readOnly: "\(path) cannot be written: \(reason)"
    case .locked: "\(path) is locked by another program: \(reason)"
    case .full: "no space is left for \(path): \(reason)"
    case .inputOutput: "reading or writing \(path) failed: \(reason)"
    case .newer(let found, let known): "\(path) has schema \(found), this program knows schemas up to \(known)"
    case .older(let found, let known): "\(path) has schema \(found), this program reads schema \(known)"
    case .noRoomForSnapshot(let needed, let free):
      "\(path) is to be upgraded, but a copy of it beforehand needs \(needed) bytes and \(free) are free"
    case .refused(let refusal): refusal.words(path)
    case .copy(let problem): problem.words(path)
    case .remote(let problem): problem.words
    case .noFile where isOfService: "\(RemoteDatabases.shown(path)) is the address of a service, not of a database"
    case .noFile: "\(RemoteDatabases.shown(path)) is the address of a warehouse: this needs a file"
    case .tookTooLong: "reading \(path) took longer than it may"
    case .statement(let code): "\(path): \(reason) (SQLite result \(code))"
    }
  }

  public var hint: Remedy {
    switch kind {
    case .missingDirectory: "create the directory, or give another path"
    case .missingFile where !reason.isEmpty: "put it back where it was, or end this program before it is moved"
    case .missingFile:
      "`uptake serve` and `uptake import` create it; name another with --db or UPTAKE_DB; to look around first: uptake demo"
    case .emptyFile:
      "if it held something, restore a backup; `uptake serve` and `uptake import` fill an empty one; or name another with --db"
    case .notADatabase where reason == Self.folder:
      "name the file in it; a folder that `uptake replicate` wrote is put back by `uptake restore`"
    case .notADatabase, .notAnUptakeDatabase: "give the path of a database that `uptake serve` or `uptake import` made"
    case .corrupt where reason.hasSuffix(PageChecksums.ending):
      "restore a backup, or take what can be read into a new file: \(command: "doctor", options: ["db": path, "salvage": "OUT"]); where another program wrote into it: \(command: "doctor", options: ["db": path, "renew-checksums": nil])"
    case .corrupt:
      "restore a backup, or take what can be read into a new file: \(command: "doctor", options: ["db": path, "salvage": "OUT"])"
    case .readOnly: "check the owner and the permissions of the file and of its directory"
    case .locked: "wait for the other program, or find it with: fuser FILE"
    case .full: "free some space on that disk; nothing that was acknowledged is lost"
    case .inputOutput: "look at the disk's health (dmesg) before anything else"
    case .newer: "upgrade uptake; a newer file is never opened by an older program"
    case .older:
      "upgrade it, which keeps a copy of the file as it is: \(command: "upgrade", options: ["db": path])"
    case .noRoomForSnapshot:
      "free some space, or make a backup elsewhere and then: \(command: "upgrade", options: ["no-snapshot": nil, "db": path])"
    case .refused(.archiveMissing): Remedy.lostArchive(path, of: nil)
    case .refused(let refusal): refusal.hint
    case .copy(let problem): problem.hint
    case .remote(let problem): problem.remedy
    case .noFile where isOfService:
      "name the database's file, on the service's machine; a service is asked with: \(command: "watch", options: ["url": RemoteDatabases.shown(path)]), or with GET /v1/answers/verdict"
    case .noFile: "name a node's database file with --db; a warehouse answers questions, and is filled by `uptake ship`"
    case .tookTooLong: "ask for less, or give it more time"
    case .statement: "this should not happen; please report it with this message"
    }
  }
}
