import Console
import Foundation
import HTTP
import Lifecycle
import Query
import Store
import Testing

@testable import Server

/// How releases stand, told to Prometheus: as `uptake status` says it, and never in the way of a scrape.
struct VerdictKeeperTests {
  /// Of three devices one updated: the release is too young to be judged.
  private func served(_ more: String = "") throws -> ServedDatabase {
    let served = try ServedDatabase()
    let events = """
      [{"device":"d1","app":"a","stage":"check","at":"2025-03-01T00:00:00Z"},
       {"device":"d2","app":"a","stage":"check","at":"2025-03-01T00:00:00Z"},
       {"device":"d1","app":"a","stage":"check","at":"2025-03-02T10:00:00Z"},
       {"device":"d2","app":"a","stage":"check","at":"2025-03-02T23:00:00Z"},
       {"device":"d1","app":"a","stage":"ready","release":"2.0","trigger":"bgRefresh","at":"2025-03-02T11:00:00Z"},
       {"device":"d1","app":"a","stage":"applied","release":"2.0","at":"2025-03-02T12:00:00Z"}\(more)]
      """
    #expect(served.ask("POST", "/v1/events", events).status == 200)
    let publication = #"{"app":"a","publishedAt":"2025-03-02T00:00:00Z"}"#
    #expect(served.ask("PUT", "/v1/releases/2.0", publication).status == 200)
    return served
  }

  private func judged(_ served: ServedDatabase) -> String {
    served.service.verdicts.want()
    served.service.verdicts.beginWhenDue()
    #expect(eventually { served.service.verdicts.figures != nil }, "\(served.log.text)")
    served.service.verdicts.stop()
    return served.service.metricsText(.init())
  }

  @Test func theNewestReleaseOfAChannelIsToldOf() throws {
    let text = judged(try served())
    let release = #"{app="a",channel="production",release="2.0""#
    #expect(text.contains("uptake_release_verdict\(release),decision=\"wait\",condition=\"unsettled\"} 1\n"))
    #expect(text.contains("uptake_release_adoption_ratio\(release)} 0.5\n"), "\(text.suffix(4000))")
    #expect(text.contains("uptake_release_eligible_devices\(release)} 2\n"))
    #expect(text.contains("uptake_release_updated_devices\(release)} 1\n"))
    #expect(text.contains("uptake_release_rollout_ratio\(release)} 1\n"))
    #expect(text.contains("uptake_release_published_timestamp_seconds\(release)} 1740873600\n"))
    #expect(text.contains("uptake_release_failure_ratio\(release),kind=\"crashes\"} 0\n"))
    #expect(text.contains("uptake_release_failure_limit_ratio\(release),kind=\"crashes\"} 0.05\n"))
    #expect(text.contains("uptake_app_newest_contact_timestamp_seconds{app=\"a\"} 1740956400\n"))
    #expect(text.contains("uptake_app_newest_receipt_timestamp_seconds{app=\"a\"} 1740960000\n"))
    #expect(text.contains("uptake_verdict_timestamp_seconds{app=\"a\"} 1740960000\n"))
    #expect(text.contains("\nprocess_start_time_seconds 1"))
    #expect(text.contains("uptake_backup_last_success_timestamp_seconds 0\n"))
    #expect(text.contains("uptake_release_channels_left_out 0\n"))
  }

  /// What devices take and nobody registered, where it is to be stopped.
  @Test func whatNobodyRegisteredIsToldOf() throws {
    let phones = (0..<40).flatMap { number in
      [
        ("1T00", "check", "1.0"), ("2T13", "downloadStarted", "2.1"), ("2T14", "applied", "2.1"),
        ("2T15", "crashed", "2.1"),
      ]
      .map { at, stage, release in
        #",{"device":"p\#(number)","app":"a","stage":"\#(stage)","release":"\#(release)","at":"2025-03-0\#(at):00:00Z"}"#
      }
    }
    let text = judged(try served(phones.joined()))
    let verdict = #"uptake_release_verdict{app="a",channel="production",release="#
    #expect(text.contains("\(verdict)\"2.1\",decision=\"stop\",condition=\"crashing\"} 1\n"), "\(text.suffix(4000))")
    #expect(text.contains("\(verdict)\"2.0\",decision=\"wait\""))
  }

  /// Clients that do not name their bucket: the one that was offered it has it, which says nothing of the others.
  @Test func adoptionIsUnknownWhereOnlyTheOfferedAreCounted() throws {
    let served = try served()
    let publication = """
      {"app":"a","publishedAt":"2025-03-02T00:00:00Z","rollout":[{"at":"2025-03-02T00:00:00Z","percent":20}]}
      """
    #expect(served.ask("PUT", "/v1/releases/2.0", publication).status == 200)
    let text = judged(served)
    #expect(text.contains("uptake_release_updated_devices{app=\"a\",channel=\"production\",release=\"2.0\"} 1\n"))
    #expect(!text.contains("uptake_release_adoption_ratio{"), "\(text.suffix(4000))")
  }

  /// Who has no monitoring pays nothing for it; a scrape never waits.
  @Test func nothingIsJudgedUntilSomebodyAsks() throws {
    let served = try served()
    let housekeeping = Housekeeping(served.service, foldAfter: .milliseconds(50))
    defer { housekeeping.stop() }
    #expect(!served.ask("GET", "/metrics").text.contains("uptake_release_"), "the first scrape only wakes it")
    #expect(eventually { served.ask("GET", "/metrics").text.contains("uptake_release_verdict{") })
    let other = try self.served()
    other.service.verdicts.beginWhenDue()
    usleep(100_000)
    #expect(other.service.verdicts.figures == nil)
  }

  /// An ingest key is public, and each channel that it makes up would be a dozen series for ever.
  @Test func madeUpChannelsPushNoneOut() throws {
    let made = (0..<10).map { number in
      #",{"device":"x","app":"a","stage":"applied","release":"2.0","channel":"a\#(number)","at":"2025-03-02T12:00:00Z"}"#
        + #",{"device":"x","app":"a","stage":"applied","release":"r\#(number)","channel":"a\#(number)","at":"2025-03-02T12:00:00Z"}"#
    }
    let served = try served(made.joined())
    let keeper = VerdictKeeper(
      path: served.path, judging: .init(), journal: served.journal, runner: served.service.chores, most: 4)
    keeper.want()
    keeper.beginWhenDue()
    #expect(eventually { keeper.figures != nil })
    let channels = keeper.figures?.standings.first?.releases.map(\.channel) ?? []
    #expect(channels.count == 4 && channels.contains("production"), "somebody registered it: \(channels)")
    #expect(keeper.figures?.leftOut == 7)
  }

  /// Figures that cannot be made anew stay, with the time they are from; the log says why, and it is tried again.
  @Test func whatCannotBeJudgedKeepsItsLastFigures() throws {
    let served = try served()
    let keeper = VerdictKeeper(
      path: served.path, judging: .init(), journal: served.journal, runner: served.service.chores, every: 0.01)
    func judge(until holds: () -> Bool) -> Bool {
      eventually {
        keeper.want()
        keeper.beginWhenDue()
        return holds()
      }
    }
    #expect(judge { keeper.figures != nil })
    try FileManager.default.moveItem(atPath: served.path, toPath: served.path + ".aside")
    #expect(judge { served.log.text.contains("verdicts_failed") })
    #expect(keeper.figures?.standings.first?.releases.first?.devices == 2 && keeper.figures?.lastBackup == nil)
    #expect(served.log.text.contains("keeps the figures") && access(served.path, F_OK) != 0)
    try FileManager.default.moveItem(atPath: served.path + ".aside", toPath: served.path)
    _ = try Backup.make(
      of: served.path, at: served.folder.path + "/copy.db", replacing: false,
      now: Timestamp(rawValue: 1_740_960_000_000))
    #expect(judge { keeper.figures?.lastBackup != nil }, "once it is back")
    keeper.stop()
  }

  /// A tenth of a core at most; a machine that is busy with other work makes no rest longer, and many apps not longer than the alert.
  @Test(arguments: [(0, 15), (1, 15), (2, 18), (20, 180), (66, 594), (70, 600), (1800, 600)] as [(Double, Double)])
  func itRestsForTheTimeOfAProcessor(_ row: (took: Double, rests: Double)) {
    #expect(VerdictKeeper.rest(after: row.took, every: 15) == row.rests)
  }

  /// Of many apps each is told of once it is judged; the others stand as they stood, as far as there is room.
  @Test func appsThatWaitStandAsTheyStood() {
    func standing(_ app: String, at second: Int64) -> VerdictChore.Done {
      VerdictChore.Done(app: app, judgedAt: Timestamp(rawValue: second * 1000))
    }
    var before = VerdictFigures(most: 3)
    for app in ["a", "b", "c", "d"] { before.add(standing(app, at: 1)) }
    #expect(before.standings.map(\.app) == ["a", "b", "c"])
    var made = VerdictFigures(most: 3)
    made.add(standing("a", at: 2))
    let shown = made.with(before, of: ["b", "d"])
    #expect(shown.standings.map(\.app) == ["a", "b"], "c is gone, and d was never judged")
    #expect(shown.standings.map { $0.judgedAt.seconds } == [2, 1])
    #expect(made.with(nil, of: ["b"]).standings.map(\.app) == ["a"])
    made.add(standing("b", at: 2))
    made.add(standing("c", at: 2))
    #expect(made.with(before, of: ["b", "c"]).standings.count == 3, "no more than there is room for")
  }

  /// An event of two hours ago is late by two hours; one of a client without a clock says nothing of that.
  @Test func lagsAreCounted() throws {
    let served = try ServedDatabase()
    let body = """
      [{"device":"d","app":"a","stage":"check","at":"2025-03-02T22:00:00Z"},
       {"device":"d","app":"a","stage":"check","at":"2025-03-02T23:59:58Z"},
       {"device":"d","app":"a","stage":"failed","release":"1","reason":"time_of_receipt","at":"2025-03-01T22:00:00Z"}]
      """
    #expect(served.ask("POST", "/v1/events", body).status == 200)
    let text = served.ask("GET", "/metrics").text
    #expect(text.contains("uptake_ingest_event_lag_seconds_bucket{le=\"1\"} 0\n"))
    #expect(text.contains("uptake_ingest_event_lag_seconds_bucket{le=\"3600\"} 1\n"))
    #expect(text.contains("uptake_ingest_event_lag_seconds_bucket{le=\"+Inf\"} 2\n"))
    #expect(text.contains("uptake_ingest_event_lag_seconds_sum 7202\n"))
  }
}
