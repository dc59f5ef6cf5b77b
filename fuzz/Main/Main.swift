import FuzzReaders
import Glibc

/// What libFuzzer calls with each input: `FUZZ_TARGET` names the reader that gets it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  var bytes = [UInt8]()
  bytes.reserveCapacity(size + 64)
  bytes += UnsafeBufferPointer(start: data, count: size)
  reader(bytes)
  return 0
}

private let reader: @Sendable ([UInt8]) -> Void = {
  let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
  guard let reader = readers[name] else {
    fatalError("FUZZ_TARGET is \"\(name)\"; known: \(readers.keys.sorted().joined(separator: ", "))")
  }
  return reader
}()
