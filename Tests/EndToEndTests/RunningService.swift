import Foundation
import Testing

/// `uptake serve` as a process of its own, on a port that the system chose.
final class RunningService {
  let directory: String
  let process = Process()
  private(set) var port: UInt16 = 0
  private let errors = Pipe()
  var database: String { directory + "/uptake.db" }

  /// - Parameter directory: of an earlier service, to go on with its database.
  init(_ arguments: [String] = [], directory: String? = nil, environment: [String: String] = [:]) throws {
    self.directory = directory ?? NSTemporaryDirectory() + "uptake-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: self.directory, withIntermediateDirectories: true)
    let output = Pipe()
    process.executableURL = URL(filePath: Binary.path)
    process.arguments = ["serve", "--db", self.directory + "/uptake.db", "--listen", "127.0.0.1:0"] + arguments
    process.environment = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"].merging(Binary.sanitizers) { $1 }
      .merging(environment) { $1 }
    process.currentDirectoryURL = URL(filePath: "/")
    (process.standardOutput, process.standardError) = (output, errors)
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    let digits = line.split(separator: ",").first?.split(separator: ":").last ?? ""
    port = try #require(UInt16(digits), "the service did not start: \(line)")
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  func removeFiles() { try? FileManager.default.removeItem(atPath: directory) }

  /// Sends a signal and waits for the end; answers the exit status and what was logged.
  @discardableResult
  func stop(_ signal: Int32 = SIGTERM) -> (status: Int32, log: String) {
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    let log = (try? errors.fileHandleForReading.readToEnd()) ?? Data()
    return (
      process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus,
      String(decoding: log, as: UTF8.self)
    )
  }

  /// A peak of resident memory, in megabytes.
  var peakMemory: Int {
    let status = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return (line?.split(separator: " ").dropFirst().first).flatMap { Int($0) }.map { $0 / 1024 } ?? .max
  }

  struct Reply: Equatable {
    var status: Int
    var headers: [String: String] = [:]
    var body: String

    /// A number of the JSON object, at its top level.
    subscript(_ name: String) -> Int? {
      let object = try? JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
      return object?[name] as? Int
    }
    var errorCode: String? {
      let object = try? JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
      return (object?["error"] as? [String: Any])?["code"] as? String
    }
    var firstRejection: String? {
      let object = try? JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
      return (object?["errors"] as? [[String: Any]])?.first?["code"] as? String
    }
  }

  func ask(
    _ method: String = "POST", _ path: String = "/v1/events", _ body: [UInt8] = [], headers: [String: String] = [:]
  ) throws -> Reply {
    let connection = try #require(Connection(port: port), "no connection")
    return try #require(connection.ask(method, path, body, headers), "no answer")
  }

  func ask(_ body: String, headers: [String: String] = [:]) throws -> Reply {
    try ask(body: Array(body.utf8), headers: headers)
  }
  private func ask(body: [UInt8], headers: [String: String]) throws -> Reply {
    try ask("POST", "/v1/events", body, headers: headers)
  }
}

/// A blocking client connection that is used again and again.
final class Connection {
  private let descriptor: Int32
  private var rest: [UInt8] = []

  init?(port: UInt16) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    var patience = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    if connected != 0 { return nil }
  }

  deinit { close(descriptor) }

  /// nil where the connection broke before a whole answer.
  func ask(_ method: String, _ path: String, _ body: [UInt8], _ headers: [String: String] = [:]) -> RunningService
    .Reply?
  {
    var head = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.count)\r\n"
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    guard send(Array((head + "\r\n").utf8) + body) else { return nil }
    return receive()
  }

  private func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      // A server may answer before it has read everything.
      if count <= 0 { return !rest.isEmpty || read() }
      sent += count
    }
    return true
  }

  private func read() -> Bool {
    var piece = [UInt8](repeating: 0, count: 65536)
    let count = recv(descriptor, &piece, piece.count, 0)
    guard count > 0 else { return false }
    rest += piece[..<count]
    return true
  }

  private func receive() -> RunningService.Reply? {
    while true {
      if let end = headEnd {
        let lines = String(decoding: rest[..<end], as: UTF8.self).split(separator: "\r\n").map(String.init)
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
          let parts = line.split(separator: ":", maxSplits: 1)
          if parts.count == 2 { headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces) }
        }
        let length = headers["content-length"].flatMap { Int($0) } ?? 0
        while rest.count < end + 4 + length { guard read() else { return nil } }
        let body = String(decoding: rest[(end + 4)..<(end + 4 + length)], as: UTF8.self)
        rest.removeFirst(end + 4 + length)
        let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return RunningService.Reply(status: status, headers: headers, body: body)
      }
      guard read() else { return nil }
    }
  }

  private var headEnd: Int? {
    guard rest.count >= 4 else { return nil }
    return (0...(rest.count - 4)).first {
      rest[$0] == 13 && rest[$0 + 1] == 10 && rest[$0 + 2] == 13 && rest[$0 + 3] == 10
    }
  }
}

/// Asks until it holds; a loaded machine may take its time.
func eventually(_ holds: () throws -> Bool, at place: SourceLocation = #_sourceLocation) throws {
  for _ in 0..<6000 {
    if try holds() { return }
    usleep(50_000)
  }
  Issue.record("it did not happen within five minutes", sourceLocation: place)
}

/// Another program writes into a database that nobody has open, and ours is told that it was meant.
func change(_ database: String, _ sql: String) throws {
  let changed = try Binary.start("/usr/bin/sqlite3", [database, sql])
  try #require(changed.status == 0, "\(changed.errors)")
  let renewed = try Binary.run("doctor", "--renew-checksums", "--db", database)
  try #require(renewed.status == 0, "\(renewed.errors)")
}

/// What the database says, read by SQLite's own shell: another program than ours.
func sqlite(_ database: String, _ sql: String) throws -> String {
  let result = try Binary.start("/usr/bin/sqlite3", ["-readonly", "-cmd", ".timeout 10000", database, sql])
  try #require(result.status == 0, "\(result.errors)")
  return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
}
