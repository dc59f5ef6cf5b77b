import Glibc
import Lifecycle

/// The same events for the peers: `at,device,release,stage,trigger,platform,version`, numbers only.
struct CSVFile: ~Copyable {
  private let file: UnsafeMutablePointer<FILE>
  private var bytes: [UInt8] = []

  init?(_ path: String) {
    guard let file = fopen(path, "w") else { return nil }
    self.file = file
    bytes.reserveCapacity(1 << 20)
  }

  deinit {
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }

  mutating func add(_ moment: Moment, device: UInt64) {
    let versions = Fleet.versions.count
    add(UInt64(moment.at), 44)
    add(device >> 1, 44)
    add(UInt64(moment.release), 44)
    add(UInt64(moment.stage.code), 44)
    add(UInt64(moment.trigger.code), 44)
    add(UInt64(Int(moment.context) / versions), 44)
    add(UInt64(Int(moment.context) % versions), 10)
    if bytes.count > 1 << 20 - 200 {
      fwrite(bytes, 1, bytes.count, file)
      bytes.removeAll(keepingCapacity: true)
    }
  }

  private mutating func add(_ number: UInt64, _ end: UInt8) {
    var (rest, divisor) = (number, UInt64(1))
    while rest / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      bytes.append(48 + UInt8(rest / divisor))
      rest %= divisor
      divisor /= 10
    }
    bytes.append(end)
  }
}
