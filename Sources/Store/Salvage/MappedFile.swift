import CPageChecksums
import Glibc

/// The bytes of a file, read by the system as they are touched: a file may be larger than the memory.
///
/// The file must keep its length as long as this lives; salvage maps a copy that is its own.
final class MappedFile {
  let count: Int
  private let start: UnsafeRawPointer?

  init(_ path: String) throws(StoreError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StoreError(.inputOutput, path: path, reason: String(cString: strerror(errno))) }
    defer { close(descriptor) }
    count = Int(lseek(descriptor, 0, SEEK_END))
    guard count > 0 else {
      start = nil
      return
    }
    guard let mapped = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0), mapped != MAP_FAILED else {
      throw StoreError(.inputOutput, path: path, reason: "it cannot be mapped: \(String(cString: strerror(errno)))")
    }
    madvise(mapped, count, MADV_SEQUENTIAL)
    start = UnsafeRawPointer(mapped)
  }

  deinit {
    if let start { munmap(UnsafeMutableRawPointer(mutating: start), count) }
  }

  /// 0 where the file has no such place: a damaged file may name any.
  func byte(_ place: Int) -> Int {
    guard let start, place >= 0, place < count else { return 0 }
    return Int(start.load(fromByteOffset: place, as: UInt8.self))
  }

  /// Whether a page of the file ends with its checksum.
  func holdsChecksum(page: Int, size: Int) -> Bool {
    guard let start, page > 0, page * size <= count else { return false }
    return page_checksum_holds(start + (page - 1) * size, size, UInt64(page)) == 1
  }

  /// Whether another program wrote a page, which has none.
  func missesChecksum(page: Int, size: Int, countingZeros: Bool) -> Bool {
    guard let start, page > 0, page * size <= count else { return false }
    return page_checksum_is_missing(start + (page - 1) * size, size, countingZeros ? 1 : 0) == 1
  }

  /// Those bytes of a range that the file has.
  func bytes(_ range: Range<Int>) -> [UInt8] {
    let range = range.clamped(to: 0..<count)
    return Array(UnsafeRawBufferPointer(start: start.map { $0 + range.lowerBound }, count: range.count))
  }
}
