import Console
import Foundation
import Glibc
import Lifecycle
import Report
import Testing

@testable import Server

/// What service and worker say to each other. Real processes are in Tests/Reliability/test_workers.py.
@Suite struct QuestionWorkerTests {
  static let asked = [
    AskedQuestion(
      form: .json, question: "releases", arguments: [], options: [], now: Instant(rawValue: 1), hasKey: false),
    AskedQuestion(
      form: .gate, question: "verdict", arguments: ["2.0"], options: [.init(name: "app", text: "")],
      now: Instant(rawValue: -5), hasKey: true),
    AskedQuestion(
      form: .fragment(.bugsnag), question: "breadcrumbs", arguments: ["a\nb", ""],
      options: [.init(name: "limit", text: "3"), .init(name: "app", text: "käse")], now: Instant(rawValue: 0),
      hasKey: true
    ),
  ]

  @Test(arguments: asked) func aQuestionIsReadAsItWasSent(_ asked: AskedQuestion) throws {
    let (socket, other) = try pair()
    try socket.send(asked.message(within: 1234))
    let read = try #require(AskedQuestion.read(other.words(until: nil)))
    #expect(read.asked == asked && read.milliseconds == 1234)
  }

  @Test func whatIsNoQuestionIsNone() {
    let whole = Self.asked[2].message(within: 1)
    for count in 0..<whole.count where (count - 2) % 2 != 0 || count < 8 {
      #expect(AskedQuestion.read(Array(whole.prefix(count))) == nil, "\(count)")
    }
    for (place, text) in [(0, "html"), (3, "x"), (4, ""), (5, "-1"), (5, "9")] {
      var message = whole
      message[place] = text
      #expect(AskedQuestion.read(message) == nil)
    }
  }

  @Test func longBytesComeWhole() throws {
    let (socket, other) = try pair()
    let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let sender = Thread { try? socket.send(bytes) }
    sender.start()
    #expect(try other.receive(until: .now + .seconds(20)) == bytes)
  }

  @Test func whoWaitsLearnsWhyNothingComes() throws {
    let (socket, other) = try pair()
    #expect(throws: MessageSocket.Ended.late) { try other.receive(until: .now + .milliseconds(20)) }
    #expect(other.isQuiet)
    socket.close()
    // A process that another test has just begun to start may hold the other end for a moment.
    #expect(other.hasMore(within: 60_000))
    #expect(!other.isQuiet)
    #expect(throws: MessageSocket.Ended.closed) { try other.receive(until: nil) }
  }

  /// Whatever a call before it failed with.
  @Test(.timeLimit(.minutes(1))) func whoWaitsForTheEndOfTheOtherSideSeesIt() throws {
    let (socket, other) = try pair()
    try socket.send(["a", "b"])
    socket.close()
    errno = EINTR
    other.waitUntilClosed()
    other.close()
  }

  private func pair() throws -> (MessageSocket, MessageSocket) {
    var ends: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
    return (MessageSocket(ends[0]), MessageSocket(ends[1]))
  }
}

extension AskedQuestion: CustomTestStringConvertible {
  public var testDescription: String { question }
}
