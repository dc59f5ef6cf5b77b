import Console
import Glibc
import Ingest
import Lifecycle
import Maps

/// A file in memory, read as `uptake import` reads files: in chunks, across their borders.
func importFile(_ bytes: [UInt8], _ format: ImportOptions.Format) {
  importFile(bytes, ImportOptions(format: format, app: "a", now: noon), "\(format)")
}

private func importFile(_ bytes: [UInt8], _ options: ImportOptions, _ name: String) {
  let path = "/dev/shm/uptake-fuzz-\(getpid())-\(name)"
  let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
  defer {
    close(descriptor)
    unlink(path)
  }
  require(write(descriptor, bytes, bytes.count) == bytes.count, "the memory takes the file")
  guard let reader = try? ChunkReader(path: path, keys: keys, options: options) else { return }
  var end = 0
  while let chunk = try? reader.next() {
    require(chunk.start.offset >= end, "chunks follow one another")
    end = chunk.end.offset
    require(end <= bytes.count, "a chunk ends within the file")
    for rejection in chunk.decoded.rejections { _ = chunk.source(of: rejection) }
  }
}

/// A settings file is read, or its first problem is told with its line.
func readSettings(_ bytes: [UInt8]) {
  do throws(Failure) {
    let file = try TOMLFile(String(decoding: bytes, as: UTF8.self), path: "uptake.toml")
    require(file.entries.allSatisfy { $0.line > 0 }, "every entry has its line")
  } catch {
    require(!error.words.isEmpty, "a problem has words")
    require(!error.words.utf8.contains(0x1B), "words cannot drive a terminal")
  }
}

/// A map is read, or its first problem is told with a remedy.
func readMap(_ bytes: [UInt8]) {
  do throws(Failure) {
    let map = try EventMap(toml: String(decoding: bytes, as: UTF8.self), path: "map.toml")
    require(map.fieldNames.contains("stage"), "a map says what rows mean")
  } catch {
    require(error.exit == .usage, "a map that is wrong is the user's to mend")
    require(!error.words.utf8.contains(0x1B), "words cannot drive a terminal")
  }
}

/// A file of any form, by a shipped map of each.
func importByMaps(_ bytes: [UInt8]) {
  for name in ["ga4", "fcm-csv", "snowplow", "sparkle"] {
    guard let map = try? EventMap(name) else { fatalError("a shipped map is one") }
    var options = ImportOptions(app: "a", now: noon)
    options.map = map
    importFile(bytes, options, name)
  }
}
