import HTTP
import Lifecycle
import Report
import Store
import Synchronization
import Testing

@testable import Server

/// Facts to receivers that answer as receivers do on their worst day. What is not told is told later, once.
struct ExporterTests {
  private let fixture: ExportFixture
  private let noon = ExportFixture.noon
  private let day = Milliseconds.days(1)

  init() throws { fixture = try ExportFixture() }

  @Test func tellsEachFactOnceInTheOrderInWhichItHappened() throws {
    let receiver = Receiver { _, _ in .status(200) }
    let order = try fixture.order(to: receiver.url)
    let (exporter, facts) = try fixture.ready(order)
    let first = try exporter.send(ExportFixture.client())
    #expect(first == Exporter.Tally(sent: facts, refused: 0, waiting: 0, nextAt: nil, reason: nil))
    let again = fixture.exporter(order)
    #expect(try again.remember(again.news(order.choice.rollouts(path: fixture.served.path, now: noon))) == 0)
    #expect(try again.send(ExportFixture.client()).sent == 0 && receiver.requests.count == facts)
    let times = receiver.requests.compactMap { $0.firstMatch(of: /"time":(\d+)/).flatMap { Int($0.1) } }
    #expect(times.count == facts && times == times.sorted())
    #expect(receiver.requests.allSatisfy { $0.contains("Authorization: Bearer \(ExportFixture.secret)\r\n") })
  }

  /// None of them is an answer, and only the first fact was tried: what follows would end the same way.
  @Test(arguments: [
    (Receiver.Reply.silence, "took too long"), (.bytes(""), "broke"),
    (.bytes("HTTP/1.1 200 OK\r\nContent-Le"), "broke"),
    (.bytes("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{\"id\":"), "broke"),
    (.bytes("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n{\"i"), "broke"),
    (.bytes("SSH-2.0-OpenSSH_9.2\r\n"), "does not answer in HTTP"), (.status(500), "500 {}"), (.status(503), "503 {}"),
    (.status(301, ["Location: https://other.example/"]), "redirects"),
  ]) func whatIsNotAnsweredWaits(_ reply: Receiver.Reply, _ says: String) throws {
    let receiver = Receiver { _, _ in reply }
    let order = try fixture.order(to: receiver.url)
    let (exporter, facts) = try fixture.ready(order)
    let patience = says == "took too long" ? Swift.Duration.seconds(2) : .seconds(30)
    let tally = try exporter.send(ExportFixture.client(patience))
    #expect(tally.sent == 0 && tally.waiting == facts)
    #expect(tally.nextAt == noon + (says == "redirects" ? .minutes(5) : .seconds(2)))
    #expect(tally.reason?.contains(says) == true, "\(tally.reason ?? "")")
    #expect(receiver.requests.count == 1)
    let standing = try fixture.standing(order)
    #expect(standing.isFailing && standing.failedAt == noon && standing.waiting == facts && standing.sent == 0)
    #expect(try exporter.send(ExportFixture.client()).sent == 0 && receiver.requests.count == 1, "not before it is due")
  }

  /// It is asked ever more rarely, also with another fact once one has failed more than three times, and still gets everything once it is
  /// well again.
  @Test func aReceiverThatFailsForLongIsAskedRarely() throws {
    let isWell = Atomic(false)
    let receiver = Receiver { _, _ in .status(isWell.load(ordering: .relaxed) ? 200 : 500) }
    let order = try fixture.order(to: receiver.url)
    var now = noon
    let facts = try fixture.ready(order).facts
    var pauses: [Int64] = []
    for _ in 0..<(4 * facts + 10) {
      let tally = try fixture.exporter(order, at: now).send(ExportFixture.client())
      let next = try #require(tally.nextAt)
      pauses.append((next - now).rawValue / 1000)
      now = next
    }
    #expect(pauses.prefix(6) == [2, 4, 8, 16, 32, 64] && pauses.suffix(2) == [3600, 3600], "\(pauses)")
    isWell.store(true, ordering: .relaxed)
    #expect(try fixture.exporter(order, at: now).send(ExportFixture.client()).sent == facts)
    #expect(try !fixture.standing(order).isFailing)
  }

  /// A receiver that asks for years of quiet, by mistake or to be left alone, is asked again after a day.
  @Test(arguments: [
    (429, "Retry-After: 9223372036854775807"), (503, "Retry-After: 9223372036854775807"),
    (429, "Retry-After: 100000000"), (200, "X-Sentry-Rate-Limits: 999999999:error:key"),
  ]) func quietIsKeptForADayAtMost(_ status: Int, _ header: String) throws {
    let receiver = Receiver { _, _ in .status(status, [header]) }
    let order = try fixture.order(to: receiver.url)
    let (exporter, _) = try fixture.ready(order)
    let tally = try exporter.send(ExportFixture.client())
    #expect(tally.nextAt == noon + day, "\(String(describing: tally.nextAt))")
    let early = try fixture.exporter(order, at: noon + day - .seconds(1)).send(
      ExportFixture.client(), isUrgent: status != 503)
    #expect(early.sent == 0 && early.nextAt == noon + day && receiver.requests.count == 1)
    let asked = "quiet until 2025-03-04T00:00:00Z, as it asked" + (status == 429 ? " (429)" : "")
    #expect(status == 503 ? early.quiet == nil : early.quiet == asked, "\(early)")
    _ = try fixture.exporter(order, at: noon + day).send(ExportFixture.client())
    #expect(receiver.requests.count == 2)
  }

  /// A clock that was years ahead wrote down when to try again; set right, it does not wait for those years.
  @Test(arguments: [(500, ""), (429, "Retry-After: 30")]) func aClockThatWasAheadHoldsNothingUp(
    _ status: Int, _ header: String
  ) throws {
    let receiver = Receiver { number, _ in number == 0 ? .status(status, header.isEmpty ? [] : [header]) : .status(200)
    }
    let order = try fixture.order(to: receiver.url)
    let facts = try fixture.ready(order).facts
    let ahead = noon + .days(2000)
    #expect(try fixture.exporter(order, at: ahead).send(ExportFixture.client()).waiting == facts)
    let tally = try fixture.exporter(order).send(ExportFixture.client())
    #expect(tally.sent == facts && tally.waiting == 0, "\(tally)")
  }

  /// The word that was told last is the one that was noticed last, whatever the clock said. Told otherwise, each look
  /// would find a change, and tell it again for as long as the clock was ahead.
  @Test func verdictsAreInTheOrderInWhichTheyWereNoticed() throws {
    let order = try fixture.order(to: "http://127.0.0.1:1")
    let name = order.destination.identity(order.target)
    for (number, word) in ["Slow", "Failing", "On track"].enumerated() {
      let record = ExportRecord(
        target: name, id: "v\(number)", app: "a", release: "1.0", channel: "production", kind: "verdict", word: word,
        at: noon, noticedAt: noon - .hours(Int64(number)), fact: "{}")
      #expect(try fixture.registry.remember([record]) == 1)
      let told = try fixture.registry.verdictsTold(name, app: "a", release: "1.0", channel: "production")
      #expect(told?.word == word && told?.count == number + 1)
    }
    #expect(try fixture.unsent(order).allSatisfy { $0.nextAt <= noon }, "they are due by the clock as it is")
  }

  /// Ended amid a request, nobody knows whether it was heard: it is sent again, the same to the byte.
  @Test func whatWasOnItsWayIsSentAgainTheSame() throws {
    let receiver = Receiver { _, _ in .status(200) }
    let order = try fixture.order(to: receiver.url)
    let (exporter, facts) = try fixture.ready(order)
    let first = try #require(try fixture.unsent(order).first)
    try fixture.registry.begin(first, now: noon)
    #expect(try fixture.unsent(order).first?.outcome == .sending)
    #expect(try exporter.preview([]).first?.contains(", again") == true)
    // Not yet due by a clock that went back meanwhile, and in doubt all the same.
    let tally = try fixture.exporter(order, at: noon - .hours(1)).send(ExportFixture.client())
    #expect(tally.sent >= 1 && receiver.requests.count == tally.sent)
    #expect(try exporter.send(ExportFixture.client()).waiting == 0 && receiver.requests.count == facts)
    #expect(Set(receiver.requests).count == facts)
  }

  /// What a receiver says goes into the database, the log and `/metrics`; the secret does not.
  @Test(arguments: [
    Receiver.Reply.status(302, ["Location: https://h/?token=\(ExportFixture.secret)"]),
    .status(500, body: "bad token \(ExportFixture.secret)"), .status(400, body: "bad token \(ExportFixture.secret)"),
    .bytes("\(ExportFixture.secret) is no HTTP\r\n\r\n"),
    .bytes("HTTP/1.1 200 OK\r\nContent-Length: \(ExportFixture.secret)\r\n\r\n"),
  ]) func aSecretThatComesBackIsWithheld(_ reply: Receiver.Reply) throws {
    let receiver = Receiver { _, _ in reply }
    let order = try fixture.order(to: receiver.url)
    let (exporter, _) = try fixture.ready(order)
    let tally = try exporter.send(ExportFixture.client())
    #expect(tally.reason?.contains(ExportFixture.secret) == false, "\(tally.reason ?? "nothing")")
    #expect(try fixture.standing(order).reason?.contains(ExportFixture.secret) == false)
    #expect(try fixture.unsent(order).allSatisfy { $0.reason?.contains(ExportFixture.secret) != true })
  }

  @Test func aSecretIsWithheldWhereEventsAreShipped() throws {
    _ = fixture.served.ask("POST", "/v1/events", #"{"device":"d","stage":"check","app":"a"}"#)
    let receiver = Receiver { _, _ in .status(302, ["Location: https://h/?token=\(ExportFixture.secret)"]) }
    let order = try fixture.order("otlp", to: receiver.url, secret: "x-key=\(ExportFixture.secret)")
    let noon = noon
    let shipment = EventShipment(
      order: order, registry: fixture.registry, path: fixture.served.path, clock: { noon })
    var tally = EventShipment.Tally()
    try shipment.send(ExportFixture.client(), &tally)
    #expect(tally.reason?.contains("redirects") == true && tally.reason?.contains(ExportFixture.secret) == false)
  }

  /// Sent from one database into another, an event says the same there.
  @Test func anEventLosesNothingOnItsWayIntoAnother() throws {
    let event = #"""
      {"app":"a","device":"d","stage":"failed","release":"2.0","from":"1.0","reason":"disk","trigger":"silentPush",
      "channel":"beta","platform":"ios","osVersion":"18.1","appVersion":"4.2","sdkVersion":"3","network":"cellular",
      "arm":"b","emulator":false,"durationMs":1200,"bytes":900,"bucket":7,"outcome":"failed","at":1740950000000,
      "region":"DE","deviceModel":"iPhone15,2","tags":{"plan":"pro","team":"a=b"}}
      """#
    #expect(fixture.served.ask("POST", "/v1/events", event).status == 200)
    let noon = noon
    let shipment = EventShipment(
      order: try fixture.order("otlp", to: "http://127.0.0.1:9"), registry: fixture.registry, path: fixture.served.path,
      clock: { noon })
    let parcel = try #require(try shipment.next()).parcel
    let other = try ExportFixture(releases: 0).served
    let answer = other.ask(
      "POST", "/v1/logs", String(decoding: parcel.body, as: UTF8.self), headers: [("content-type", "application/json")])
    #expect(answer.status == 200 && answer.text == "{}")
    func said(_ path: String) throws -> String {
      var event = try #require(try Snapshot(path: path).events(after: 0, app: nil, limit: 9).first)
      (event.device, event.identity, event.received) = (DeviceHash(rawValue: 0), 0, nil)
      let traits = event.traits.text ?? ""
      event.traits = DeviceTraits()
      return "\(event) \(traits)"
    }
    let (there, here) = (try said(other.path), try said(fixture.served.path))
    #expect(there == here)
  }

  /// None is passed over: a server in trouble, or one that wants another form, says nothing of the events.
  @Test(arguments: [500, 501, 408, 415]) func noEventIsPassedOverForWhatIsNotAboutIt(_ status: Int) throws {
    for device in ["d", "e"] {
      _ = fixture.served.ask("POST", "/v1/events", #"{"device":"\#(device)","stage":"check","app":"a"}"#)
    }
    let receiver = Receiver { _, _ in .status(status) }
    let noon = noon
    let shipment = EventShipment(
      order: try fixture.order("otlp", to: receiver.url), registry: fixture.registry, path: fixture.served.path,
      clock: { noon })
    var tally = EventShipment.Tally()
    try shipment.send(ExportFixture.client(), &tally)
    #expect(tally.refused == 0 && tally.reason?.hasPrefix("\(status)") == true && receiver.requests.count == 1)
    #expect(try shipment.left() == 2)
  }

  /// What one fact of an earlier time holds must not keep the others from being told for ever.
  @Test func aFactThatCannotBeReadHoldsUpNoOther() throws {
    let receiver = Receiver { _, _ in .status(200) }
    let order = try fixture.order(to: receiver.url)
    let (exporter, facts) = try fixture.ready(order)
    let broken = ExportRecord(
      target: exporter.identity, id: "broken", app: "a", release: "1.0", channel: "production", kind: "step", word: nil,
      at: noon - .days(3), noticedAt: noon, fact: #"{"id":1}"#)
    #expect(try fixture.registry.remember([broken]) == 1)
    let tally = try exporter.send(ExportFixture.client())
    #expect(tally.sent == facts && tally.refused == 1 && tally.waiting == 0)
    #expect(tally.reason?.contains("cannot be read") == true && receiver.requests.count == facts)
    #expect(try exporter.preview([]).isEmpty)
  }

  /// These are mended by people, a redirect among them: everything waits, and nothing is refused for good.
  @Test(arguments: [401, 403, 404, 302]) func aWrongKeyOrPlaceLosesNothing(_ status: Int) throws {
    let receiver = Receiver { number, _ in .status(number == 0 ? status : 200) }
    let order = try fixture.order(to: receiver.url)
    let (exporter, facts) = try fixture.ready(order)
    let tally = try exporter.send(ExportFixture.client())
    #expect(tally.nextAt == noon + .minutes(5) && tally.isMisaddressed)
    #expect(try fixture.exporter(order).send(ExportFixture.client(), isUrgent: true).sent == facts)
  }

  @Test func whatIsRefusedIsToldAndPassedOver() throws {
    let receiver = Receiver { number, _ in .status(number == 0 ? 422 : 200, body: "no") }
    let order = try fixture.order(to: receiver.url)
    let (exporter, facts) = try fixture.ready(order)
    let tally = try exporter.send(ExportFixture.client())
    #expect(tally.refused == 1 && tally.sent == facts - 1 && tally.reason == "422 no" && tally.waiting == 0)
    #expect(try fixture.standing(order).refused == 1)
  }
}
