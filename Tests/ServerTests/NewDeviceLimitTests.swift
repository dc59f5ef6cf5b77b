import HTTP
import Ingest
import Lifecycle
import Store
import Testing

@testable import Server

/// A key brings so many new devices a minute; of what it brings beyond nothing is stored, and all of it can come again.
struct NewDeviceLimitTests {
  /// Twenty at once.
  private func served(perMinute: Int = 1) throws -> ServedDatabase {
    let served = try ServedDatabase(
      limits: .init(perAddress: 0, perKey: 0, trustedProxies: [], newDevicesPerKey: perMinute))
    try learn(served)
    return served
  }

  private func learn(_ served: ServedDatabase) throws {
    try served.service.newDevices.learn(served.service.log) { false }
  }

  private func send(_ devices: ClosedRange<Int>, _ served: ServedDatabase, key: String) -> Response {
    let lines = devices.map { #"{"device":"d\#($0)","stage":"check","at":"2025-03-02T00:00:00Z"}"# }
    return served.ask(
      "POST", "/v1/events", lines.joined(separator: "\n"), key: key, headers: [("content-type", "application/x-ndjson")]
    )
  }

  private static let local = [("host", "localhost"), ("content-type", "application/json")]

  private func stored(_ served: ServedDatabase) -> Int { served.service.log.tally.stored }

  @Test func whatIsTooMuchIsRefusedAsAWhole() throws {
    let served = try served()
    let key = try served.key(.ingest)
    #expect(send(1...19, served, key: key).status == 200)
    // What cannot be parted passes while anything is left, however much it is.
    #expect(send(19...60, served, key: key).status == 200)
    let refused = send(1...61, served, key: key)
    #expect(refused.status == 429 && refused.code == "too_many_new_devices", "\(refused.text)")
    let wait = refused.headers.first { $0.0 == "Retry-After" }.flatMap { Int($0.1) }
    #expect((2000...3600).contains(wait ?? 0), "\(wait as Any)")
    #expect(stored(served) == 60, "none of the refused; one of them came twice")
    #expect(served.service.newDevices.refused.total == 1 && served.service.newDevices.brought.total == 60)
    // It is no known device afterwards: it was not taken.
    #expect(send(61...61, served, key: key).status == 429)
  }

  @Test func whoIsKnownAlwaysPasses() throws {
    let served = try served()
    let key = try served.key(.ingest)
    #expect(send(1...60, served, key: key).status == 200)
    #expect(send(61...61, served, key: key).status == 429)
    #expect(send(1...60, served, key: key).status == 200)
  }

  @Test func oneKeyLimitsNoOther() throws {
    let served = try served()
    let (key, other) = (try served.key(.ingest), try served.key(.ingest))
    #expect(send(1...60, served, key: key).status == 200)
    #expect(send(61...61, served, key: key).status == 429)
    #expect(send(61...61, served, key: other).status == 200)
  }

  /// What is stored already is known after a restart, folded or not; and until it is read nobody is limited.
  @Test(arguments: [false, true]) func theDatabasesDevicesAreKnown(_ isFolded: Bool) throws {
    let folder = try TemporaryFolder()
    let first = try ServedDatabase(in: folder)
    let key = try first.key(.ingest)
    #expect(send(1...50, first, key: key).status == 200)
    if isFolded { try first.service.log.foldAll() }
    let next = try ServedDatabase(
      limits: .init(perAddress: 0, perKey: 0, trustedProxies: [], newDevicesPerKey: 1), in: folder)
    #expect(send(100...150, next, key: key).status == 200 && send(151...152, next, key: key).status == 200)
    try learn(next)
    #expect(next.service.newDevices.brought.total == 0, "nobody counts as new before it is known who is")
    #expect(send(200...230, next, key: key).status == 200)
    #expect(send(231...231, next, key: key).status == 429)
    #expect(send(1...50, next, key: key).status == 200)
    #expect(send(100...152, next, key: key).status == 200)
  }

  /// Without keys only this machine sends, and 0 is no limit.
  @Test func whoIsNotLimited() throws {
    let open = try served()
    for number in 0..<50 {
      let event = #"{"app":"a","device":"d\#(number)","stage":"check"}"#
      #expect(open.ask("POST", "/v1/events", event, headers: Self.local).status == 200)
    }
    let free = try served(perMinute: 0)
    let key = try free.key(.ingest)
    for start in [1, 101, 201] { #expect(send(start...(start + 99), free, key: key).status == 200) }
  }

  /// In the words of their own protocol, so that they send it again.
  @Test func clientsOfOtherSystemsAreLimitedToo() throws {
    let served = try served()
    let key = try served.key(.ingest)
    #expect(send(1...60, served, key: key).status == 200)
    let report =
      #"{"app_version":"1","deployment_key":"\#(key)","client_unique_id":"new","label":"v2","status":"DeploymentSucceeded"}"#
    let response = served.ask("POST", "/reportStatus/deploy", report)
    #expect(response.status == 429 && response.headers.contains { $0.0 == "Retry-After" }, "\(response.text)")
  }

  @Test func doctorTellsOfIt() throws {
    let served = try served()
    let key = try served.key(.ingest)
    #expect(send(1...60, served, key: key).status == 200)
    #expect(served.service.newDevices.takeBurst() == nil)
    #expect(send(61...61, served, key: key).status == 429)
    let burst = try #require(served.service.newDevices.takeBurst())
    #expect(burst.key == 1 && burst.refused == 1 && served.service.newDevices.takeBurst() == nil)
    try served.service.registry.note(burst)
    func finding(_ days: Int64) -> Finding? {
      Examination(path: served.path, now: burst.at + .days(days), isFull: false).findings()
        .first { $0.check == "new devices" }
    }
    #expect(finding(1)?.verdict == .warn && finding(1)?.found.contains("key 1") == true)
    let fix = "\(finding(1)?.fix as Any)"
    #expect(fix.contains("new-devices-per-key"))
    #expect(finding(8)?.verdict == .ok)
  }
}

struct KnownDevicesTests {
  private func device(_ number: Int) -> DeviceHash {
    DeviceHash(rawValue: UInt64(number) &* 0x9e37_79b9_7f4a_7c15 ^ UInt64(number) << 40 &* 0xbf58_476d_1ce4_e5b9)
  }

  @Test func memoryIsBoundedAndThoseWhoComeStayKnown() {
    var known = KnownDevices(first: 1 << 10, most: 1 << 16)
    let regulars = (0..<100).map(device)
    for number in 100..<100_000 {
      known.insert(device(number))
      #expect(known.contains(device(number)))
      if number % 500 == 0 { for regular in regulars { known.insert(regular) } }
    }
    #expect(known.bits <= 1 << 16)
    #expect(regulars.allSatisfy(known.contains))
    #expect((100..<20_000).count { known.contains(device($0)) } < 4_000, "old strangers are forgotten")
  }

  /// A stranger passes for known now and then, and no more often.
  @Test func fewStrangersPass() {
    var known = KnownDevices()
    for number in 0..<200_000 { known.insert(device(number)) }
    #expect((0..<200_000).allSatisfy { known.contains(device($0)) })
    #expect((200_000..<300_000).count { known.contains(device($0)) } < 4_000)
  }
}
