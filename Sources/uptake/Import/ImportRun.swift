internal import Console
internal import Ingest
internal import Lifecycle
internal import Store

/// What became of the lines of the imported files.
struct ImportTally {
  var accepted = 0
  var duplicate = 0
  /// As in `Admitted`.
  var clashing = 0
  var rejected = RejectionTally()
  var clockAhead = 0
  var ignoredFields = 0
  /// The first of their names, each once.
  var ignoredNames: [String] = []
  /// Rows that a map passes over.
  var skipped = 0

  mutating func add(_ decoded: Decoded) {
    rejected.add(decoded.rejected)
    clockAhead += decoded.clockAhead
    ignoredFields += decoded.ignoredFields
    for name in decoded.ignoredNames where ignoredNames.count < 10 && !ignoredNames.contains(name) {
      ignoredNames.append(name)
    }
    skipped += decoded.skipped
  }

  mutating func add(_ admitted: [Admitted]) {
    for part in admitted {
      accepted += part.accepted
      duplicate += part.duplicate
      clashing += part.clashing
    }
  }

  var read: Int { accepted + duplicate + rejected.total }
}

/// Brings files of events into the database: one thread decodes, this one stores, many lines to a transaction.
struct ImportRun: ~Copyable {
  /// Where events go; instead of it where nothing is to be stored, what would become of them.
  let log: EventLog?
  let rehearsal: Rehearsal?
  private let fold: FoldAlong?
  let registry: Registry?
  let keys: IdentityKeys
  let options: ImportOptions
  let isResumed: Bool
  /// Where refused lines go, as they are.
  var rejects: AtomicFile?
  /// The row of columns that refused lines stand below.
  private var header: [UInt8] = []
  /// Called with the place and the words of each refusal.
  let complain: (String) throws -> Void
  private(set) var tally = ImportTally()

  private static let eventsPerTransaction = 65_536

  init(
    log: EventLog?, rehearsal: Rehearsal?, registry: Registry?, keys: IdentityKeys, options: ImportOptions,
    isResumed: Bool,
    rejects: consuming AtomicFile?, complain: @escaping (String) throws -> Void
  ) {
    self.log = log
    self.rehearsal = rehearsal
    fold = log.map(FoldAlong.init)
    self.registry = registry
    self.keys = keys
    self.options = options
    self.isResumed = isResumed
    self.rejects = rejects
    self.complain = complain
  }

  mutating func run(_ path: String, _ progress: inout Progress) throws {
    if EventLog.isArchive(path) { return try putBack(path) }
    let resume = try resumePlace(path)
    let reader = try ChunkReader(path: path, keys: keys, options: options, resume: resume)
    let size = reader.size
    let chunks = ReadAhead(reader)
    defer { chunks.cancel() }
    var waiting: [DecodedChunk] = []
    var events = 0
    while let chunk = try next(chunks, &waiting, path, size) {
      events += chunk.decoded.batch.events.count
      waiting.append(chunk)
      guard events >= Self.eventsPerTransaction else { continue }
      try store(&waiting, path, size)
      events = 0
      progress.update(tally.read, fraction: size.map { Double(chunk.bytesRead) / Double(max($0, 1)) })
    }
    try store(&waiting, path, size)
    try registry?.setImportPosition(nil, of: path)
  }

  /// Events that retention took out go back as they were.
  private mutating func putBack(_ path: String) throws {
    guard let done = try log?.putBack(archive: path) ?? rehearsal?.putBack(archive: path) else { return }
    tally.add([Admitted(accepted: done.accepted, duplicate: done.duplicate)])
    if done.forgotten > 0 {
      let events =
        done.forgotten == 1
        ? "1 event of a forgotten device stays" : "\(done.forgotten) events of forgotten devices stay"
      try complain("\(path): \(events) out")
    }
  }

  /// What was read before a problem is stored before it is told.
  private mutating func next(
    _ chunks: ReadAhead, _ waiting: inout [DecodedChunk], _ path: String, _ size: Int?
  ) throws -> DecodedChunk? {
    do { return try chunks.next() } catch {
      try store(&waiting, path, size)
      throw error
    }
  }

  private func resumePlace(_ path: String) throws -> Place? {
    guard isResumed, let position = try registry?.importPosition(of: path) else { return nil }
    return Place(offset: position.offset, lines: position.lines, index: position.index)
  }

  private mutating func store(_ chunks: inout [DecodedChunk], _ path: String, _ size: Int?) throws {
    guard let end = chunks.last?.end else { return }
    if let log {
      tally.add(try log.append(chunks.map(\.decoded.batch)))
      fold?.note(stored: tally.accepted)
    }
    if let rehearsal { tally.add(rehearsal.append(chunks.map(\.decoded.batch))) }
    for chunk in chunks {
      tally.add(chunk.decoded)
      for rejection in chunk.decoded.rejections { try report(rejection, chunk, path) }
    }
    chunks = []
    guard let size, let registry else { return }
    try registry.setImportPosition(
      ImportPosition(size: size, offset: end.offset, lines: end.lines, index: end.index), of: path)
  }

  private mutating func report(_ rejection: Rejection, _ chunk: DecodedChunk, _ path: String) throws {
    try keep(rejection, chunk)
    let line = rejection.line.map { ":\($0)" } ?? ""
    try complain("\(path == "-" ? "standard input" : path)\(line): \(rejection.message)")
  }

  /// Rows of a table can be imported again only below the one that names their columns.
  private mutating func keep(_ rejection: Rejection, _ chunk: DecodedChunk) throws {
    if chunk.header != header, !chunk.header.isEmpty {
      try rejects?.write(String(decoding: chunk.header, as: UTF8.self) + "\n")
    }
    header = chunk.header
    try rejects?.write(String(decoding: chunk.source(of: rejection), as: UTF8.self) + "\n")
  }

  /// - Returns: beside the tally what is left to fold, which may take as long as reading did.
  consuming func finish() throws -> (tally: ImportTally, fold: FoldAlong?) {
    let (tally, fold) = (tally, fold)
    if let rejects { try rejects.commit() }
    return (tally, fold)
  }
}
