import Foundation
import Testing

/// A service under a service manager, as sd_notify(3) and sd_listen_fds(3) describe both sides.
struct ServiceManagerTests {
  /// Where a service tells how it stands: a socket in a folder of its own.
  private final class Manager {
    let path = NSTemporaryDirectory() + "uptake-" + UUID().uuidString.prefix(8) + ".notify"
    private let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)

    init() throws {
      var place = sockaddr_un()
      place.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: path.utf8) }
      let bound = withUnsafePointer(to: place) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      var limit = timeval(tv_sec: 30, tv_usec: 0)
      setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
      try #require(bound == 0)
    }

    deinit {
      close(descriptor)
      unlink(path)
    }

    /// The first line of the next message.
    func next() -> String {
      var bytes = [UInt8](repeating: 0, count: 1024)
      let count = recv(descriptor, &bytes, bytes.count, 0)
      return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: "\n").first.map(String.init)
        ?? ""
    }
  }

  @Test func itSaysWhenItIsReadyReloadsAndStops() throws {
    let manager = try Manager()
    let service = try RunningService(environment: ["NOTIFY_SOCKET": manager.path])
    defer { service.removeFiles() }
    #expect(manager.next() == "READY=1")
    kill(service.process.processIdentifier, SIGHUP)
    #expect([manager.next(), manager.next()] == ["RELOADING=1", "READY=1"])
    #expect(service.stop().status == 0)
    #expect(manager.next() == "STOPPING=1")
  }

  /// A shell becomes the service, so that its number is known before; Python opens the socket.
  private static let activate = """
    import os, socket, sys
    listener = socket.create_server(("127.0.0.1", 0))
    os.dup2(listener.fileno(), 3)
    os.set_inheritable(3, True)
    os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS=sys.argv[1])
    os.execv(sys.argv[2], sys.argv[2:])
    """

  @Test func itTakesTheSocketThatItIsPassed() throws {
    let directory = NSTemporaryDirectory() + "uptake-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = ["-c", Self.activate, "1", Binary.path, "serve", "--db", directory + "/uptake.db"]
    process.environment = ["PATH": "/usr/bin:/bin", "UPTAKE_LISTEN": "192.0.2.1:80"].merging(Binary.sanitizers) { $1 }
    (process.standardOutput, process.standardError) = (output, Pipe())
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    let port = try #require(UInt16(line.split(separator: ",").first?.split(separator: ":").last ?? ""), "\(line)")
    #expect(line.contains("listens on http://127.0.0.1:\(port)"))
    #expect(Connection(port: port)?.ask("GET", "/healthz", [], [:])?.status == 200)
    kill(process.processIdentifier, SIGTERM)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test func itRefusesMoreThanOneSocket() throws {
    let words = ["-c", Self.activate, "2", Binary.path, "serve", "--db", "/tmp/uptake-none/uptake.db"]
    let refused = try Binary.start("/usr/bin/python3", words)
    #expect(
      refused.errors.hasPrefix("error: LISTEN_FDS: the service manager passes 2 sockets, and a service listens on one"))
    #expect(refused.status == 2)
  }
}
