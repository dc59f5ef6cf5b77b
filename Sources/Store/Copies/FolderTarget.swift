import Glibc

/// A copy in a folder, on another disk or mounted from another machine.
public final class FolderTarget: CopyTarget {
  public let address: String
  public let isReadable = true
  public let mostToReread = Int.max

  public init(_ path: String) { address = path }

  public func put(_ name: String, _ bytes: [UInt8]) throws(StoreError) {
    let path = "\(address)/\(name)"
    do throws(StoreError) {
      try make(DurableFile.directory(of: path))
      let part = try PartFile(path + ".part")
      do throws(StoreError) {
        try part.write(bytes)
        try DurableFile.rename(part.path, to: path)
      } catch {
        unlink(part.path)
        throw error
      }
    } catch { throw .copy(.unreachable("\(error.path): \(error.reason)"), address) }
  }

  /// Its last two parts; what is above them is there, or the disk is not mounted.
  private func make(_ directory: String) throws(StoreError) {
    for path in [address, directory] where mkdir(path, 0o700) != 0 && errno != EEXIST {
      throw DurableFile.failure(path)
    }
  }

  public func names() throws(StoreError) -> [String] {
    guard DurableFile.exists(address) else { return [] }
    let inner = try entries(address)
    var names: [String] = []
    for name in inner {
      if CopyName.isGeneration(name) {
        names += try entries("\(address)/\(name)").map { "\(name)/\($0)" }
      } else {
        names.append(name)
      }
    }
    return names.filter { !$0.hasSuffix(".part") }
  }

  private func entries(_ path: String) throws(StoreError) -> [String] {
    guard let directory = opendir(path) else { throw unreachable(path) }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  public func get(_ name: String, first count: Int?) throws(StoreError) -> [UInt8]? {
    let path = "\(address)/\(name)"
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT { return nil }
    guard descriptor >= 0 else { throw unreachable(path) }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: min(count ?? .max, DiskSpace.size(path)))
    var done = 0
    while done < bytes.count {
      let more = bytes[done...].withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      guard more >= 0 else { throw unreachable(path) }
      if more == 0 { break }
      done += more
    }
    return Array(bytes[..<done])
  }

  public func remove(_ name: String) throws(StoreError) {
    let path = "\(address)/\(name)"
    guard unlink(path) == 0 || errno == ENOENT else { throw unreachable(path) }
    // Goes with the last object in it.
    rmdir(DurableFile.directory(of: path))
  }

  private func unreachable(_ path: String) -> StoreError {
    .copy(.unreachable("\(path): \(DurableFile.failure(path).reason)"), address)
  }
}
