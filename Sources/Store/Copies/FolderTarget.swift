import Glibc

/// A copy in a folder, on another disk or mounted from another machine.
public final class FolderTarget: CopyTarget {
  public let address: String
  public let isReadable = true
  public let mostToReread = Int.max

  public init(_ path: String) { address = path }

  /// A folder that is gone, or whose disk is no longer mounted, is not made anew: what went below the mount point would be
  /// missing in the copy once the disk is back.
  public func prepare(_ known: String?, _ generation: String?) throws(StoreError) -> String {
    if known != nil {
      guard DurableFile.exists(address) else {
        throw .copy(.unreachable("\(address) is gone; mount its disk, or make the folder for a new copy"), address)
      }
    } else if mkdir(address, 0o700) == 0 {
      try? DurableFile.sync(DurableFile.directory(of: address))
    } else if errno != EEXIST {
      throw unreachable(address)
    }
    if let known, isAway(known), !(generation.map { DurableFile.exists("\(address)/\($0)") } ?? false) {
      throw .copy(.unreachable("\(known), where the copy is, is not mounted"), address)
    }
    return MountPoint.of(address) ?? ""
  }

  /// Services see mounts of their own, so what is not mounted may be there all the same.
  private func isAway(_ mount: String) -> Bool {
    let mounts = MountPoint.all()
    return !mount.isEmpty && !mounts.isEmpty && !mounts.contains(mount)
  }

  /// Only the first part of a generation makes its folder.
  public func put(_ name: String, _ bytes: [UInt8]) throws(StoreError) {
    let path = "\(address)/\(name)"
    do throws(StoreError) {
      if CopyName(name)?.sequence == 0 { try make(DurableFile.directory(of: path)) }
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

  private func make(_ directory: String) throws(StoreError) {
    guard mkdir(directory, 0o700) == 0 || errno == EEXIST else { throw DurableFile.failure(directory) }
    try DurableFile.sync(address)
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
    guard let names = DurableFile.names(in: path) else { throw unreachable(path) }
    return names.filter { !$0.hasPrefix(".") }
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
