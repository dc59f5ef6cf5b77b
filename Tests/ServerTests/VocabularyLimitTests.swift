import Glibc
import HTTP
import Ingest
import Lifecycle
import Store
import Testing

@testable import Server

/// A holder of a public key cannot fill an app's vocabulary.
struct VocabularyLimitTests {
  private func batch(_ releases: [String], channel: String = "production", reason: String? = nil) -> EventBatch {
    var batch = EventBatch()
    batch.contexts = [Context(app: "a", channel: channel, platform: "ios")]
    for release in releases {
      batch.names.append(release)
      var event = Event(
        at: Timestamp(rawValue: 0), device: DeviceHash(rawValue: 1), identity: 0, context: 0, stage: .ready,
        trigger: .unknown)
      event.release = NameIndex(rawValue: UInt32(batch.names.count - 1))
      if let reason {
        batch.names.append(reason)
        event.reason = NameIndex(rawValue: UInt32(batch.names.count - 1))
      }
      batch.events.append(event)
    }
    return batch
  }

  private func limits(_ registered: Set<String> = []) -> VocabularyLimits {
    VocabularyLimits(limit: { $0 == .context ? 4 : 2 }, registered: { _ in (registered, registered) })
  }

  private func releases(_ batch: EventBatch) -> [String] { batch.events.map { batch.names[Int($0.release.rawValue)] } }

  @Test func beyondTheLimitNewWordsAreOther() {
    let limits = limits(["4"])
    var first = batch(["1", "2", "3", "1", "4"])
    limits.bound(&first)
    #expect(releases(first) == ["1", "2", "other", "1", "4"])
    var second = batch(["5", "2"], channel: "x", reason: "r1")
    limits.bound(&second)
    #expect(releases(second) == ["other", "2"] && second.contexts[0].channel == "x")
    var third = batch(["1"], channel: "y", reason: "r2")
    limits.bound(&third)
    #expect(third.contexts[0].channel == "other" && third.names[Int(third.events[0].reason.rawValue)] == "r2")
    var registered = batch(["1"], channel: "4", reason: "r3")
    limits.bound(&registered)
    #expect(
      registered.contexts[0].channel == "4" && registered.names[Int(registered.events[0].reason.rawValue)] == "other")
    #expect(limits.limited.snapshot.map { "\($0.labels[0]) \($0.count)" } == ["channel 1", "reason 1", "release 2"])
  }

  /// Two tags fill the limit here; what was said of the network is one of four words and stays.
  @Test func networksAreNoTags() {
    let limits = limits()
    var batch = EventBatch()
    batch.contexts = ["tag:a=1", "tag:a=2", "tag:a=3"].map {
      Context(app: "a", channel: "production", traits: "network=wifi\n" + $0)
    }
    limits.bound(&batch)
    #expect(
      batch.contexts.map { $0.traits ?? "" } == [
        "network=wifi\ntag:a=1", "network=wifi\ntag:a=2", "network=wifi\ntag:a=other",
      ])
  }

  @Test func otherAppsHaveTheirOwn() {
    let limits = limits()
    for release in ["1", "2", "3"] {
      var own = batch([release])
      limits.bound(&own)
    }
    var other = batch(["3"])
    other.contexts[0].app = "b"
    limits.bound(&other)
    #expect(releases(other) == ["3"])
  }

  /// Of combinations without end, what describes the device is left out.
  @Test func combinationsAreBounded() {
    let limits = VocabularyLimits(limit: { $0 == .context ? 3 : 100 }, registered: { _ in ([], []) })
    let versions = (1...5).map { version -> String? in
      var one = batch(["1"])
      one.contexts[0].appVersion = "\(version)"
      limits.bound(&one)
      return one.contexts[0].appVersion
    }
    #expect(versions == ["1", "2", "3", nil, nil])
  }

  /// Of tags without end the version stays, by which experiments and rollouts are judged.
  @Test func tagsGoBeforeVersions() {
    let limits = VocabularyLimits(limit: { $0 == .context ? 20 : 100 }, registered: { _ in ([], []) })
    let last = (1...30).map { number -> Context in
      var one = batch(["1"])
      one.contexts[0].appVersion = "\(number % 2)"
      one.contexts[0].traits = "network=wifi\ntag:a=\(number)"
      limits.bound(&one)
      return one.contexts[0]
    }.last
    #expect(last?.appVersion == "0" && last?.traits == "network=wifi")
    #expect(limits.limited.snapshot.map { "\($0.labels[0]) \($0.count)" } == ["context 10"])
  }

  /// What the database holds is known after a restart, and counts.
  @Test func aRestartForgetsNothing() throws {
    let served = try ServedDatabase()
    let event = #"{"device":"d","stage":"ready","app":"a","release":"9","channel":"beta","appVersion":"7"}"#
    #expect(served.ask("POST", "/v1/events", event).status == 200)
    let known = try VocabularyLimits(served.service.registry)
    var again = batch(["9"], channel: "beta")
    known.bound(&again)
    #expect(releases(again) == ["9"] && again.contexts[0].channel == "beta" && known.limited.total == 0)
  }

  /// All ingest waits while a body is bounded: what one word too many costs must not grow with what is registered.
  @Test func aFloodCostsTheSameHoweverMuchIsRegistered() throws {
    // This thread's own: other tests run beside it.
    func processorTime() -> Duration {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
    func seconds(registered: Int) throws -> Duration {
      let served = try ServedDatabase()
      for number in 0..<registered {
        try served.service.registry.publish(
          Publication(
            app: "a", release: ReleaseLabel(rawValue: "r\(number)"), channel: "production",
            publishedAt: Timestamp(rawValue: 1_740_000_000_000)), by: .anybodyHere, now: Timestamp(rawValue: 0))
      }
      let limits = try VocabularyLimits(served.service.registry)
      var filling = batch((0..<10_000).map { "made up \($0)" })
      limits.bound(&filling)
      var flood = batch((0..<5000).map { "beyond \($0)" })
      let before = processorTime()
      limits.bound(&flood)
      let took = processorTime() - before
      #expect(releases(flood).allSatisfy { $0 == "other" } && limits.limited.total == 5000 + registered)
      return took
    }
    #expect(try seconds(registered: 500) < seconds(registered: 0) * 10 + .milliseconds(50))
  }
}
