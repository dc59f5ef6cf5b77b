import CPageChecksums

/// What SQLite keeps beside a database while it is open.
enum BesideDatabase: String {
  case log = "-wal"
  case index = "-shm"

  init?(path: String) { self.init(rawValue: String(path.suffix(4))) }
}

extension StoreError {
  enum Moved {
    case database, log, index

    /// - Parameter misplaced: what `page_checksums_misplaced` says.
    init?(misplaced: Int32) {
      switch Int(misplaced) {
      case page_checksums_database: self = .database
      case page_checksums_log: self = .log
      case page_checksums_index: self = .index
      default: return nil
      }
    }

    /// - Parameter code: of SQLite.
    init?(code: Int32) {
      switch Int(code) {
      case page_checksums_log_code: self = .log
      case page_checksums_index_code: self = .index
      default: return nil
      }
    }
  }

  /// A file that is open is not the one any more that its name leads to.
  static func moved(_ what: Moved, _ path: String) -> StoreError {
    let why = "it was moved or deleted while this program had it open"
    return switch what {
    case .database: StoreError(.missingFile, path: path, reason: why)
    case .log:
      StoreError(
        .missingFile, path: path + BesideDatabase.log.rawValue,
        reason: why + "; end the program with SIGTERM, which saves what is in it")
    case .index:
      StoreError(
        .missingFile, path: path + BesideDatabase.index.rawValue,
        reason: why + "; start the program anew, which makes another: nothing that was acknowledged is lost")
    }
  }
}
