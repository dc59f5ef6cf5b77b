internal import Glibc
internal import Server
internal import Store

/// A command that stores each object it is given: its bytes on standard input, its name in `UPTAKE_OBJECT`.
final class CommandTarget: CopyTarget {
  let address: String
  let isReadable = false
  let mostToReread = 0

  init(_ address: String) { self.address = address }

  func put(_ name: String, _ bytes: [UInt8]) throws(StoreError) {
    // A file, since a command may end before it has read everything.
    guard let input = tmpfile() else { throw failure("no temporary file: \(String(cString: strerror(errno)))") }
    defer { fclose(input) }
    guard fwrite(bytes, 1, bytes.count, input) == bytes.count, fflush(input) == 0 else {
      throw failure("no space for a temporary file")
    }
    rewind(input)
    let status = try run(input: fileno(input), name)
    guard status == 0 else { throw failure("the command ended with status \(status) for \(name)") }
  }

  func names() throws(StoreError) -> [String] { throw .copy(.unreadable, address) }
  func get(_ name: String, first count: Int?) throws(StoreError) -> [UInt8]? { throw .copy(.unreadable, address) }
  func remove(_ name: String) throws(StoreError) { throw .copy(.unreadable, address) }

  private func failure(_ why: String) -> StoreError { .copy(.unreachable(why), address) }

  /// - Returns: the exit status; 128 and the number of the signal that ended it.
  private func run(input: Int32, _ name: String) throws(StoreError) -> Int32 {
    let command = String(address.dropFirst("exec:".count))
    let process: Int32
    do {
      process = try ChildProcess.start(
        ["/bin/sh", "-c", command],
        environment: environment().filter { !$0.hasPrefix("UPTAKE_OBJECT=") } + ["UPTAKE_OBJECT=\(name)"],
        input: input, output: 2, isApart: false)
    } catch {
      throw failure("the command does not start: \(String(cString: strerror(error.number)))")
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { throw failure("the command was lost") }
    }
    return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
  }

  private func environment() -> [String] {
    var (texts, place) = ([String](), environ)
    while let text = place.pointee {
      texts.append(String(cString: text))
      place += 1
    }
    return texts
  }
}
