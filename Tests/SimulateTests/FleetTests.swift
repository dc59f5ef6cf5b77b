import Lifecycle
import Testing

@testable import Simulate

struct FleetTests {
  @Test func sameSeedSameBytesOtherSeedOtherBytes() throws {
    let scenario = try Scenario.small("push-throttling", devices: 80)
    let first = try Recording(scenario, seed: 9, reading: false)
    let again = try Recording(scenario, seed: 9, reading: false)
    let other = try Recording(scenario, seed: 10, reading: false)
    #expect(first.bytes == again.bytes)
    #expect(first.truth?.json == again.truth?.json)
    #expect(first.bytes != other.bytes)
  }

  /// Slices order the output; they change nothing in it.
  @Test func slicesChangeOnlyTheOrder() throws {
    let scenario = try Scenario.small("critical-fix-with-push", devices: 80)
    let fine = try Recording(scenario, slice: .hours(1), reading: false)
    let coarse = try Recording(scenario, slice: .days(30), reading: false)
    func sorted(_ recording: Recording) -> [String] {
      String(decoding: recording.bytes, as: UTF8.self).split(separator: "\n").map(String.init).sorted()
    }
    #expect(fine.bytes != coarse.bytes)
    #expect(sorted(fine) == sorted(coarse))
    #expect(pages(fine) == pages(coarse))
  }

  /// The truth without its head, which counts requests.
  private func pages(_ recording: Recording) -> [Substring] {
    Array((recording.truth?.json ?? "").split(separator: "\n").dropFirst(12))
  }

  /// A device lives the same life however many others there are.
  @Test func devicesAreIndependentOfEachOther() throws {
    var (few, many) = (try Scenario.small("quiet-week", devices: 20), try Scenario.small("quiet-week", devices: 60))
    few.habits.installs = 0
    many.habits.installs = 0
    func lives(_ scenario: Scenario) throws -> [String: [[UInt8]]] {
      Dictionary(grouping: try Recording(scenario).requests, by: { "\($0.sender)" }).mapValues {
        $0.map { Array($0.body) }
      }
    }
    let all = try lives(many)
    for (sender, bodies) in try lives(few) { #expect(all[sender] == bodies) }
  }

  @Test func requestsSayWhatTheyHold() throws {
    let recording = try Recording.criticalFix.get()
    let newline = UInt8(ascii: "\n")
    let odd = recording.requests.filter { request in
      request.events != request.body.count { $0 == newline } || request.body.last != newline
    }
    #expect(odd.isEmpty)
    #expect(recording.truth?.events == recording.lines.count)
    #expect(recording.requests.contains { $0.sender == .pushServer })
  }

  /// Within a slice's length, requests come in the order of their receipt.
  @Test func outputIsRoughlyChronological() throws {
    let recording = try Recording(try Scenario.small("quiet-week"), slice: .hours(6), reading: false)
    var (newest, furthestBack) = (Timestamp(rawValue: 0), Milliseconds(rawValue: 0))
    for request in recording.requests {
      furthestBack = max(furthestBack, newest - request.received)
      newest = max(newest, request.received)
    }
    #expect(furthestBack <= .hours(9))
  }

  @Test func progressRunsFromNothingToOne() throws {
    var heard: [Double] = []
    _ = Fleet(try Scenario.small("quiet-week", devices: 5), seed: 1).run(progress: { heard.append($0) }) { _ in }
    #expect(heard == heard.sorted())
    #expect(heard.last == 1)
  }
}
