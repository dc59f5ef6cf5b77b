import Foundation
import Synchronization
import Testing

/// An answered event is on disk, whatever happens next.
@Suite struct DurabilityTests {
  /// What one client was told.
  private final class Sender: @unchecked Sendable {
    var sent: [String] = []
    var acknowledged: [String] = []
  }

  /// Sends batches until the connection breaks.
  private func send(_ sender: Sender, _ name: String, port: UInt16) {
    guard let connection = Connection(port: port) else { return }
    for number in 0..<100_000 {
      let ids = (0..<5).map { "\(name)-\(number)-\($0)" }
      let lines = ids.map {
        #"{"id":"\#($0)","device":"\#(name)","app":"a","stage":"check","release":"1.0","at":1709540000000}"#
      }
      sender.sent += ids
      guard let reply = connection.ask("POST", "/v1/events", Array(lines.joined(separator: "\n").utf8)),
        reply.status == 200
      else { return }
      sender.acknowledged += ids
    }
  }

  private func storedEvents(_ service: RunningService) throws -> Int {
    try #require(Int(try sqlite(service.database, "SELECT count(*) FROM event")))
  }

  /// The file of a running service is moved away: nothing is answered 200 that would be gone with it.
  @Test func refusesWhileItsFileIsMovedAway() throws {
    let service = try RunningService(directory: scratchFolder())
    func send(_ id: Int) throws -> Int {
      try service.ask(#"{"id":"\#(id)","device":"d","app":"a","stage":"check","at":1709540000000}"#).status
    }
    #expect(try send(1) == 200)
    try FileManager.default.moveItem(atPath: service.database, toPath: service.database + ".away")
    #expect(try send(2) == 503)
    unlink(service.database)
    try FileManager.default.moveItem(atPath: service.database + ".away", toPath: service.database)
    try eventually { try send(2) == 200 }
    let end = service.stop()
    #expect(end.status == 0, "\(end.log)")
    #expect(try sqlite(service.database, "SELECT count(*) FROM event") == "2")
  }

  @Test func survivesKillsUnderLoad() throws {
    var directory: String?
    let senders = (0..<20).map { _ in Sender() }
    for round in 0..<5 {
      let service = try RunningService(directory: directory)
      directory = service.directory
      let port = service.port
      let threads = (0..<4).map { client in
        let done = DispatchSemaphore(value: 0)
        let sender = senders[round * 4 + client]
        Thread.detachNewThread {
          self.send(sender, "r\(round)c\(client)", port: port)
          done.signal()
        }
        return done
      }
      usleep(UInt32([150_000, 430_000, 270_000, 610_000, 90_000][round]))
      // However busy the machine is, one life stores something.
      if round == 3 { try eventually { try storedEvents(service) > 300 } }
      service.stop(SIGKILL)
      for thread in threads { thread.wait() }
    }
    let path = try #require(directory) + "/uptake.db"
    let (sent, acknowledged) = (
      senders.reduce(0) { $0 + $1.sent.count }, senders.reduce(0) { $0 + $1.acknowledged.count }
    )
    let stored = try #require(Int(try sqlite(path, "SELECT count(*) FROM event")))
    #expect(acknowledged > 100)
    #expect(acknowledged <= stored && stored <= sent, "\(acknowledged) acknowledged, \(stored) stored, \(sent) sent")
    #expect(try sqlite(path, "PRAGMA integrity_check") == "ok")
    #expect(try sqlite(path, "SELECT count(*) - count(DISTINCT id_hash) FROM event") == "0")

    // Sent again, every acknowledged event is known, so it was there.
    let service = try RunningService(directory: directory)
    for sender in senders where !sender.acknowledged.isEmpty {
      let lines = sender.acknowledged.map { id in
        #"{"id":"\#(id)","device":"\#(id.split(separator: "-")[0])","app":"a","stage":"check","release":"1.0","at":1709540000000}"#
      }
      let reply = try service.ask(lines.joined(separator: "\n"), headers: ["Content-Type": "application/x-ndjson"])
      #expect(reply["duplicate"] == lines.count, "\(reply.body.prefix(200))")
    }
    service.stop()
    service.removeFiles()
  }

  @Test func drainsWhenItIsAskedTo() throws {
    let service = try RunningService()
    let sender = Sender()
    let done = DispatchSemaphore(value: 0)
    let port = service.port
    Thread.detachNewThread {
      self.send(sender, "d", port: port)
      done.signal()
    }
    try eventually { try storedEvents(service) > 50 }
    let end = service.stop(SIGTERM)
    done.wait()
    #expect(end.status == 0)
    #expect(end.log.contains("\"event\":\"stopped\""))
    let stored = try #require(Int(try sqlite(service.database, "SELECT count(*) FROM event")))
    #expect(sender.acknowledged.count > 0 && sender.acknowledged.count <= stored && stored <= sender.sent.count)
    // What was stored is folded before the end.
    #expect(
      try sqlite(service.database, "SELECT value = (SELECT max(seq) FROM event) FROM meta WHERE key = 'folded'") == "1")
    service.removeFiles()
  }

  @Test func aResendAddsNothingAlsoAcrossARestart() throws {
    let batch = (0..<50).map { #"{"id":"e\#($0)","device":"d","app":"a","stage":"check","at":"2024-03-04T08:00:00Z"}"# }
    let first = try RunningService()
    #expect(try first.ask("[" + batch.joined(separator: ",") + "]")["accepted"] == 50)
    #expect(try first.ask("[" + batch.joined(separator: ",") + "]")["duplicate"] == 50)
    #expect(try first.ask(batch[7])["duplicate"] == 1)
    first.stop()
    let second = try RunningService(directory: first.directory)
    let again = try second.ask(batch.joined(separator: "\n"))
    #expect((again["accepted"], again["duplicate"]) == (0, 50))
    #expect(try sqlite(second.database, "SELECT count(*) FROM event") == "50")
    second.stop()
    second.removeFiles()
  }
}
