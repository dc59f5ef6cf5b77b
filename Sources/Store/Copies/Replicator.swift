public import Lifecycle

/// Keeps a continuous copy of a database that others write to: first every page, then what each step finds to be new in
/// SQLite's write-ahead log. Docs: docs/decisions/0015-continuous-copy.md.
///
/// A reader's lock keeps the log from beginning anew, but for moments that this chooses. Where the log was lost sight of all
/// the same, every page is held against its hash, and those that differ are sent. For one thread.
public final class Replicator {
  public struct Settings: Sendable {
    /// How long what is replaced by a newer generation can still be restored.
    public var keeps = Milliseconds.days(7)
    /// How old a generation grows before the next begins.
    public var renews = Milliseconds.days(1)
    public init() {}
  }
  /// What a step sent.
  public struct Step: Equatable, Sendable {
    public var pages = 0
    public var bytes = 0
    /// All pages were read, since it was not known which had changed.
    public var isSurvey = false
    /// A part that had gone from the copy, for which a new generation was begun.
    public var missing: Int?
  }

  public let target: any CopyTarget
  private let path: String
  private let pageSize: Int
  private let settings: Settings
  private let now: () -> Timestamp
  private let claim: CopyClaim
  private let connection: Connection
  private let hold: LogHold
  private let owner: CopyOwner
  private var chain: CopyChain?
  private var position: LogPosition?
  /// Made, and perhaps sent: it is sent again as it is until that is known to have worked.
  private var waiting: (part: CopyPart, object: [UInt8], digest: [UInt8])?
  private var step = Step()
  /// Everything that was committed before is in the copy; nil where this is not known.
  public private(set) var through: Timestamp?
  private var said: (sequence: Int, at: Timestamp)?
  private var tidied: Timestamp?
  /// By what the target's place was known when it was last seen to be there.
  private var place: String?
  /// When all parts were last seen to be there; nil after a failure.
  private var checked: Timestamp?
  private var missing: Int?
  private var forgottenBytes = -1
  private var forgot = ContinuousClock.now

  public init(
    of path: String, to target: any CopyTarget, _ settings: Settings = Settings(), now: @escaping () -> Timestamp
  ) throws(StoreError) {
    let connection = try Connection(path: path, mode: .write)
    if try Schema.check(connection) == 0 { throw StoreError(.emptyFile, path: path) }
    claim = try CopyClaim(database: path)
    try connection.execute(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0;
      PRAGMA journal_size_limit = 67108864
      """)
    pageSize = Int(try connection.integer("PRAGMA page_size"))
    hold = try LogHold(path: path)
    owner = CopyOwner(try IdentityKeys.required(connection))
    through = claim.standing().flatMap { $0.address == target.address ? $0.through : nil }
    (self.path, self.target, self.settings, self.now) = (path, target, settings, now)
    self.connection = connection
  }

  /// Brings the copy up to now. What could not be sent is sent by the next step; nothing that is there is ever half there.
  public func run() throws(StoreError) -> Step {
    step = Step()
    let at = now()
    try checkWhenDue(at)
    if let waiting { try send(waiting) }
    try beginWhenDue(at)
    try sendForgotten()
    try hold.begin(connection, at)
    if let position, let changes = try log().changes(since: position) {
      try follow(changes, at)
    } else {
      try survey(at)
    }
    try turn(at)
    if mustYield() { hold.end() }
    try confirm(at)
    (step.missing, missing) = (missing, nil)
    return step
  }

  /// Without a target for long, the log would grow without end: then it is let go, and all pages are compared later.
  public func letGo() {
    guard DiskSpace.size(path + "-wal") > Self.longestLog else { return }
    hold.end()
    position = nil
  }
  private static let longestLog = 256 << 20

  /// Whoever forgets devices, or has no space left, wants the log empty at once.
  private func mustYield() -> Bool {
    ContinuousClock.now - forgot < .seconds(10) && forgottenBytes >= 0 || DiskSpace.free(path) < Self.littleSpace
  }
  private static let littleSpace = 64 << 20

  private func log() throws(StoreError) -> WriteAheadLog { try WriteAheadLog(database: path, pageSize: pageSize) }

  private func beginWhenDue(_ at: Timestamp) throws(StoreError) {
    if chain == nil, let known = claim.known(at: target.address) {
      place = try target.prepare(known.place, known.generation)
      chain = try CopyChain(known.generation, in: target)
      checked = at
    }
    if let chain, at - CopyName.began(chain.generation) < settings.renews { return }
    try begin(at)
  }

  private func begin(_ at: Timestamp) throws(StoreError) {
    place = try target.prepare(place, chain?.generation)
    try owner.require(in: target)
    chain = CopyChain(generation: CopyName.newGeneration(at))
    (position, said, tidied, waiting) = (nil, nil, nil, nil)
    checked = at
  }

  /// A part that is gone makes all later ones worthless, so a new generation begins. Looked for every hour and after
  /// each failure; where the place itself is away, what waits stays for it.
  private func checkWhenDue(_ at: Timestamp) throws(StoreError) {
    guard let chain, chain.sequence > 0, target.isReadable else { return }
    if let checked, at >= checked, at - checked < .hours(1) { return }
    place = try target.prepare(place, chain.generation)
    if let gone = chain.missing(in: try target.names()) {
      try begin(at)
      (missing, through, forgottenBytes) = (gone, nil, -1)
    }
    checked = at
  }

  // MARK: what is sent

  private func follow(_ changes: LogChanges, _ at: Timestamp) throws(StoreError) {
    let log = try log()
    var batch = Batch(at: at, pageCount: changes.pageCount ?? chain?.known.count ?? 0)
    for number in changes.pages.keys.sorted() where Int(number) <= batch.pageCount {
      guard let page = changes.pages[number], chain?.has(Int(number), page.hash) != true else { continue }
      guard let bytes = log.page(at: page.offset), bytes.withUnsafeBytes({ PageHash($0) }) == page.hash else {
        // The log began anew within this moment.
        position = nil
        return try survey(at)
      }
      try add(number, page.hash, bytes, to: &batch)
    }
    try finish(&batch, isNew: changes.pageCount.map { $0 != chain?.known.count } ?? false)
    position = changes.end
  }

  /// Holds every page against what the copy has. What changes meanwhile is in the log, and goes with the next step.
  private func survey(_ at: Timestamp) throws(StoreError) {
    step.isSurvey = true
    position = nil
    let log = try log()
    guard let changes = log.all() else { throw StoreError(.inputOutput, path: path + "-wal", reason: "it is no log") }
    let pages = try DatabasePages(connection, size: pageSize)
    let counted = try pages.count()
    var batch = Batch(at: at, pageCount: changes.pageCount ?? counted)
    var page = [UInt8](repeating: 0, count: pageSize)
    for number in stride(from: 1, through: batch.pageCount, by: 1) {
      if let logged = changes.pages[UInt32(number)] {
        guard let bytes = log.page(at: logged.offset) else {
          throw StoreError(.locked, path: path, reason: "its log began anew")
        }
        page = bytes
      } else {
        try pages.read(number, into: &page)
      }
      let hash = page.withUnsafeBytes { PageHash($0) }
      if let logged = changes.pages[UInt32(number)], logged.hash != hash {
        throw StoreError(.locked, path: path, reason: "its log began anew")
      }
      if chain?.has(number, hash) != true { try add(UInt32(number), hash, page, to: &batch) }
    }
    try finish(&batch, isNew: batch.pageCount != chain?.known.count || chain?.isRestorable != true)
    position = changes.end
  }

  private struct Batch {
    let at: Timestamp
    let pageCount: Int
    var part: CopyPart?
  }

  private func add(_ number: UInt32, _ hash: PageHash, _ bytes: [UInt8], to batch: inout Batch) throws(StoreError) {
    if let part = batch.part, part.pages.count == CopyPart.mostPages {
      try send(part)
      batch.part = nil
    }
    if batch.part == nil { batch.part = part(batch, completes: false) }
    bytes.withUnsafeBytes { batch.part?.append(number, hash, $0) }
  }

  /// - Parameter isNew: whether there is a state to be told of without any page.
  private func finish(_ batch: inout Batch, isNew: Bool) throws(StoreError) {
    guard batch.part != nil || isNew || chain?.isWithinState == true else { return }
    var last = batch.part ?? part(batch, completes: true)
    last.name.completes = true
    try send(last)
  }

  private func part(_ batch: Batch, completes: Bool) -> CopyPart {
    let chain = chain ?? CopyChain(generation: CopyName.newGeneration(batch.at))
    return CopyPart(
      name: CopyName(generation: chain.generation, sequence: chain.sequence, at: batch.at, completes: completes),
      pageSize: pageSize, pageCount: batch.pageCount, previous: chain.previous)
  }

  private func send(_ part: CopyPart) throws(StoreError) {
    let (object, digest) = part.encoded()
    try send((part, object, digest))
  }

  private func send(_ one: (part: CopyPart, object: [UInt8], digest: [UInt8])) throws(StoreError) {
    waiting = one
    try put(one.part.name.text, one.object)
    chain?.add(one.part, digest: one.digest)
    waiting = nil
    step.pages += one.part.pages.count
    step.bytes += one.object.count
  }

  private func put(_ name: String, _ bytes: [UInt8]) throws(StoreError) {
    do throws(StoreError) { try target.put(name, bytes) } catch {
      // What went before may have gone elsewhere.
      (checked, forgottenBytes) = (nil, -1)
      throw error
    }
  }

  /// The list of forgotten devices outlives every state of the database.
  private func sendForgotten() throws(StoreError) {
    let log = DeletionLog.path(path)
    guard DurableFile.exists(log), DiskSpace.size(log) != forgottenBytes else { return }
    let text = Array(try Text.read(log).utf8)
    try put(CopyName.forgotten, text)
    forgottenBytes = text.count
    forgot = .now
  }

  // MARK: the log and the copy's end

  /// Has the log begin anew once it is long, and reads what came to its end meanwhile before that is written over.
  private func turn(_ at: Timestamp) throws(StoreError) {
    guard let position, hold.isDue(position.frames) else { return }
    try hold.turn(connection, frames: position.frames, at)
    if let changes = try log().changes(since: position) { try follow(changes, at) } else { self.position = nil }
  }

  /// Says at the target how far the copy is, so that the loss of its end is noticed, and beside the database.
  private func confirm(_ at: Timestamp) throws(StoreError) {
    guard let chain, chain.isRestorable, !chain.isWithinState else { return }
    if said == nil { try put(CopyName.owner(chain.generation), owner.bytes) }
    if said.map({ $0.sequence != chain.sequence || at - $0.at >= .minutes(1) || at < $0.at }) ?? true {
      try put(CopyName.latest(chain.generation), CopyLatest(sequence: chain.sequence - 1, at: at).bytes)
      said = (chain.sequence, at)
    }
    through = at
    claim.write(chain.generation, target.address, place ?? "", at)
    if tidied.map({ at - $0 >= .hours(1) || at < $0 }) ?? true {
      try CopyRetention.tidy(target, keeps: settings.keeps, now: at)
      tidied = at
    }
  }
}
