import Foundation
import Testing

/// `uptake demo`: no checkout, no settings, and nothing is left.
@Suite struct DemoTests {
  private static func scratch() throws -> String {
    let folder = try scratchFolder()
    try FileManager.default.createDirectory(atPath: folder + "/.config/uptake", withIntermediateDirectories: true)
    // Settings of a real service, which could not even start with them here: a demo reads none.
    try "db = \"/nowhere/real.db\"\nlisten = \"192.0.2.1:1\"\n[[export]]\ntarget = \"sentry\"\n".write(
      toFile: folder + "/.config/uptake/config.toml", atomically: true, encoding: .utf8)
    return folder
  }

  private static func demo(_ folder: String, devices: Int = 60, _ words: String...) -> Process {
    let process = Process()
    process.executableURL = URL(filePath: Binary.path)
    process.arguments = ["demo", "--devices", "\(devices)"] + words
    process.environment = ["TMPDIR": folder, "HOME": folder, "LANG": "C.UTF-8", "UPTAKE_DB": "/nowhere/real.db"]
      .merging(Binary.sanitizers) { $1 }
    return process
  }

  private static func left(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix("uptake-demo") }
  }

  /// The status of the answer; while the service is too busy to answer it is asked again, for a minute.
  private static func status(of path: String, _ connection: Connection) -> Int? {
    let patience = ContinuousClock.now + .seconds(60)
    var status = connection.ask("GET", path, [])?.status
    while status == 503, ContinuousClock.now < patience {
      usleep(500_000)
      status = connection.ask("GET", path, [])?.status
    }
    return status
  }

  @Test func servesPagesAndLeavesNothing() throws {
    let folder = try Self.scratch()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (process, output) = (Self.demo(folder, "--for", "5m"), Pipe())
    process.standardOutput = output
    try process.run()
    defer { if process.isRunning { process.terminate() } }
    var said = ""
    while !said.contains("/v1/answers/verdict") {
      let piece = output.fileHandleForReading.availableData
      try #require(!piece.isEmpty, "it ended: \(said)")
      said += String(decoding: piece, as: UTF8.self)
    }
    let port = said.firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)\//).flatMap { UInt16($0.1) }
    let connection = try #require(Connection(port: port ?? 0), "no connection: \(said)")
    for path in ["/", "/compare.html", "/mechanisms.html", "/push.html", "/v1/answers/verdict"] {
      #expect(Self.status(of: path, connection) == 200, "\(path)")
    }
    #expect(try Self.left(folder).count == 1)
    kill(process.processIdentifier, SIGINT)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    #expect(try Self.left(folder) == [])
  }

  @Test func endsByItself() throws {
    let folder = try Self.scratch()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let process = Self.demo(folder, "--for", "0s")
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(try Self.left(folder) == [])
  }

  @Test func anInterruptionWhileItPreparesLeavesNothing() throws {
    let folder = try Self.scratch()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let process = Self.demo(folder, devices: 50_000)
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    for _ in 0..<1200 where try Self.left(folder).isEmpty { usleep(50_000) }
    usleep(200_000)
    kill(process.processIdentifier, SIGINT)
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
    #expect(try Self.left(folder) == [])
  }
}
