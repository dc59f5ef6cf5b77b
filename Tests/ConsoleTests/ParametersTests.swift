import Lifecycle
import Testing

@testable import Console

/// What a request sends by name becomes the same values as on a command line.
struct ParametersTests {
  private let options = [strength, time, now, count, part, warm, sugar, guest]
  private let present = Instant(rawValue: 1_741_392_000_000)

  private func read(_ sent: [(option: Option, text: String)]) throws -> Parameters {
    try Parameters(options, arguments: ["green"], sent: sent, clock: now, now: present)
  }

  @Test func readsEveryKind() throws {
    let read = try read([
      (strength, "weak"), (time, "1m30s"), (count, "7"), (part, "2%"), (warm, "true"), (sugar, "1,2"), (sugar, "0.5"),
      (guest, "Ada, L"), (guest, "Grace"),
    ])
    #expect(read.text(strength) == "weak" && read.duration(time)?.seconds == 90 && read.integer(count) == 7)
    #expect(read.number(part) == 0.02 && read.flag(warm) && read.numbers(sugar) == [1, 2, 0.5])
    #expect(read.texts(guest) == ["Ada, L", "Grace"] && read.arguments == ["green"])
  }

  @Test func whatIsNotSentHasItsDefault() throws {
    let read = try read([])
    #expect(read.duration(time)?.seconds == 180 && read.text(strength) == nil && !read.flag(warm))
    #expect(read.now == present && read.numbers(sugar) == [])
  }

  @Test func relativeTimesCountBackFromTheTimeThatWasSent() throws {
    let read = try read([(now, "2025-03-01T00:00:00Z")])
    #expect(read.now.rfc3339 == "2025-03-01T00:00:00Z" && read.instant(now) == read.now)
  }

  @Test(arguments: [
    ("for", "soon", "--for: \"soon\" is not a duration"), ("count", "13", "--count: \"13\" is outside 1 to 12"),
    ("strength", "mild", "--strength: \"mild\" is not one of weak or strong"),
    ("now", "never", "--now: \"never\" is not a time"),
  ]) func refusesInTheWordsOfTheCommandLine(_ name: String, _ text: String, _ words: String) throws {
    let option = try #require(options.first { $0.name == name })
    let failure = #expect(throws: Failure.self) { try read([(option, text)]) }
    #expect(failure?.message == words)
    #expect(Run(["cup", "green", "--\(name)=\(text)"]).errors.hasPrefix("error: \(words)\n"))
  }

  @Test func knowsWhatIsListed() throws {
    let read = try read([])
    #expect(read.lists(warm) && !read.lists(tray))
    #expect(read.ifListed(tray) { read.text($0) } == nil)
  }
}
