import Foundation
import Ingest
import Lifecycle
import Store
import Testing

@testable import Query

extension Fleet {
  func pushes(
    _ now: Timestamp, _ change: (inout FleetScope) -> Void = { _ in }, _ options: Push.Options = .init()
  ) throws -> Query.Answer<Push> {
    let snapshot = try Snapshot(path: path)
    return try Push.answer(snapshot, try extent(snapshot.vocabulary, now, change), options)
  }

  func wakeUps(
    _ now: Timestamp, by: [WakeUps.Grouping] = [], _ change: (inout FleetScope) -> Void = { _ in }
  ) throws -> Query.Answer<WakeUps> {
    let snapshot = try Snapshot(path: path)
    var options = WakeUps.Options()
    options.by = by
    return try WakeUps.answer(snapshot, try extent(snapshot.vocabulary, now, change), options)
  }

  func funnel(
    _ release: String, _ now: Timestamp, _ change: (inout Selection) -> Void = { _ in }
  ) throws -> Query.Answer<Funnel> {
    try Funnel.answer(try Snapshot(path: path), try chosen(release, now: now, change))
  }

  func breadcrumbs(_ device: String, _ now: Timestamp) throws -> Query.Answer<Breadcrumbs> {
    let snapshot = try Snapshot(path: path)
    let extent = try FleetScope(snapshot.vocabulary, app: nil, now: now)
    let keys = try EventLog(path: path).identityKeys
    return try Breadcrumbs.answer(snapshot, extent, device: keys.device(app: extent.app, id: device))
  }

  /// Every push that was accepted or refused, with the receipt that answers it and what became of it in a day.
  func judgedPushes(until cutOff: Timestamp) throws -> [(push: SentPush, state: PushState)] {
    let snapshot = try Snapshot(path: path)
    let need = Need(app: "com.example.demo", .everybody, wakes: .init(from: Timestamp(rawValue: 0), until: cutOff))
    let pages = try snapshot.scan(need, start: { [(push: SentPush, state: PushState)]() }) { found, page in
      var (match, wakeUps) = (PushMatch(), [WakeUp]())
      var (wakes, join) = (page.wakes, SortedJoin(page.devices.devices))
      while let device = wakes.next() {
        let index = join.index(of: device)
        WakeUp.collect(wakes.facts, into: &wakeUps)
        match.match(wakes.facts, wakeUps)
        for push in match.pushes {
          let state = try push.state(horizon: .hours(24), until: cutOff) {
            try index.map { try page.spoke($0, after: push.sent.rawValue, until: cutOff.rawValue) } ?? false
          }
          found.append((push, state))
        }
      }
    }
    return pages.flatMap(\.self)
  }

  private func extent(_ vocabulary: Vocabulary, _ now: Timestamp, _ change: (inout FleetScope) -> Void) throws
    -> FleetScope
  {
    var extent = try FleetScope(vocabulary, app: nil, now: now)
    change(&extent)
    return extent
  }
}

/// The answer as it would be printed.
func printed(_ answer: some Encodable) throws -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
  return String(decoding: try encoder.encode(answer), as: UTF8.self)
}

func instant(_ text: String) -> Timestamp {
  do { return try Timestamp(rfc3339: text) } catch { fatalError("\(text) is no instant") }
}

/// `2024-03-04T08:00:00Z` is a Monday; `at` counts minutes from it.
func line(_ device: String, _ stage: String, at minutes: Double, _ rest: String = "", platform: String? = "ios")
  -> String
{
  let at = instant("2024-03-04T08:00:00Z").rawValue + Int64(minutes * 60_000)
  let platform = platform.map { ",\"platform\":\"\($0)\"" } ?? ""
  let id = "\(device)-\(stage)-\(minutes)-\(rest.hashed)"
  return
    "{\"id\":\"\(id)\",\"device\":\"\(device)\",\"stage\":\"\(stage)\",\"at\":\(at)\(platform)\(rest.isEmpty ? "" : "," + rest)}"
}

extension String {
  /// The same on every run, unlike `hashValue`.
  fileprivate var hashed: UInt64 { utf8.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 } }
}
