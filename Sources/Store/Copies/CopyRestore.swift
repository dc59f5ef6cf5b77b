import CPageChecksums
import Glibc
import Lifecycle

/// Makes a database file of a continuous copy: the newest whole state, or that of a moment, with every part held against its
/// checksum and the part before.
struct CopyRestore {
  private let target: any CopyTarget
  private let parts: [CopyName]

  /// Says what is missing before anything is fetched.
  init(_ target: any CopyTarget, at moment: Timestamp?) throws(StoreError) {
    guard target.isReadable else { throw .copy(.unreadable, target.address) }
    self.target = target
    let names = try target.names()
    let all = Dictionary(grouping: names.compactMap(CopyName.init), by: \.generation)
    let whole = all.filter { $0.value.contains { $0.completes } }
    let oldest = whole.values.compactMap { $0.filter(\.completes).map(\.at).min() }.min()
    guard let oldest else { throw .copy(.empty, target.address) }
    let fitting = whole.filter { $0.value.contains { name in name.completes && moment.map { name.at <= $0 } ?? true } }
    guard let generation = fitting.keys.max(), let parts = fitting[generation] else {
      throw .copy(.tooEarly(oldest: oldest), target.address)
    }
    try CopyOwner.requireOne(names, in: target)
    let sorted = parts.sorted { ($0.sequence, $0.text) < ($1.sequence, $1.text) }
    let latest = try target.get(CopyName.latest(generation), first: nil).flatMap(CopyLatest.init)
    self.parts = try Self.chosen(sorted, at: moment, latest, target)
  }

  /// Everything that was committed before is in it.
  var at: Timestamp? { parts.last?.at }

  private static func chosen(
    _ parts: [CopyName], at moment: Timestamp?, _ latest: CopyLatest?, _ target: any CopyTarget
  ) throws(StoreError) -> [CopyName] {
    guard let end = parts.lastIndex(where: { part in part.completes && moment.map { part.at <= $0 } ?? true })
    else { throw .copy(.empty, target.address) }
    for place in 0...end where parts[place].sequence != place {
      throw .copy(.missing(sequence: place, whole: whole(parts, before: place)), target.address)
    }
    if let latest, let last = parts.last, latest.sequence > last.sequence, moment.map({ $0 > last.at }) ?? true {
      throw .copy(
        .missing(sequence: last.sequence + 1, whole: whole(parts, before: parts.count)), target.address)
    }
    return Array(parts[...end])
  }

  /// The last whole state before a part.
  private static func whole(_ parts: [CopyName], before place: Int) -> Timestamp? {
    parts.prefix(place).last { $0.completes }?.at
  }

  /// Writes the pages into an empty file.
  func write(to file: borrowing PartFile) throws(StoreError) {
    var previous = [UInt8](repeating: 0, count: 32)
    for (place, name) in parts.enumerated() {
      let whole = Self.whole(parts, before: place)
      guard let object = try target.get(name.text, first: nil) else {
        throw .copy(.missing(sequence: name.sequence, whole: whole), target.address)
      }
      func damaged(_ why: String) -> StoreError {
        .copy(.damaged(name: name.text, why: why, whole: whole), target.address)
      }
      let part: CopyPart
      do { part = try CopyPart(object, name: name) } catch { throw damaged(error.why) }
      guard part.previous == previous else { throw damaged("does not follow the part before it") }
      try write(part, to: file)
      previous = Array(object.suffix(32))
    }
  }

  private func write(_ part: CopyPart, to file: borrowing PartFile) throws(StoreError) {
    let haveChecksums = try haveChecksums(part, file)
    for (place, page) in part.pages.enumerated() {
      var bytes = part.bytes[(place * part.pageSize)..<((place + 1) * part.pageSize)]
      if haveChecksums {
        bytes.withUnsafeMutableBytes { page_checksum_put($0.baseAddress, $0.count, UInt64(page.number)) }
      }
      let written = bytes.withUnsafeBytes {
        pwrite(file.descriptor, $0.baseAddress, $0.count, off_t((Int(page.number) - 1) * part.pageSize))
      }
      guard written == part.pageSize else { throw DurableFile.failure(file.path) }
    }
    guard ftruncate(file.descriptor, off_t(part.pageCount * part.pageSize)) == 0 else {
      throw DurableFile.failure(file.path)
    }
  }

  /// Pages come as SQLite has them, without: whether they have any is told by the first, which comes with the first part.
  private func haveChecksums(_ part: CopyPart, _ file: borrowing PartFile) throws(StoreError) -> Bool {
    let place = 20
    if let first = part.pages.firstIndex(where: { $0.number == 1 }) {
      return part.bytes[first * part.pageSize + place] == UInt8(page_checksum_length)
    }
    var reserved: UInt8 = 0
    guard pread(file.descriptor, &reserved, 1, off_t(place)) == 1 else { throw DurableFile.failure(file.path) }
    return reserved == UInt8(page_checksum_length)
  }

  /// Writes the list of devices that were forgotten up to now, whatever the moment that is restored; false where there is none.
  func writeForgotten(to path: String) throws(StoreError) -> Bool {
    guard let bytes = try target.get(CopyName.forgotten, first: nil) else { return false }
    let file = try PartFile(path)
    try file.write(bytes)
    return true
  }
}
