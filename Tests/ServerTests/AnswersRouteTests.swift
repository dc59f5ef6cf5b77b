import Answers
import Console
import HTTP
import Query
import Store
import Testing

@testable import Server

/// How questions are refused over HTTP; `QuestionsServiceTests` hold their answers against the command line.
struct AnswersRouteTests {
  private let served: ServedDatabase

  init() throws {
    served = try ServedDatabase()
    let events = (0..<30).map { number in
      let release = number % 3 == 0 ? "1.0" : "2.0"
      return #"{"device":"d\#(number)","stage":"check","app":"a","release":"\#(release)","at":"2025-03-02T00:00:00Z"}"#
    }
    _ = served.ask("POST", "/v1/events", "[\(events.joined(separator: ","))]")
  }

  static let refusals: [(query: String, status: Int, code: String, says: String)] = [
    ("nothing", 404, "unknown_question", "there is no question \"nothing\"; known: verdict, releases, adoption"),
    ("reach", 400, "bad_request", "the parameter release is missing"),
    ("reach?release=2.0&release=1.0", 400, "bad_request", "release is given twice"),
    ("reach?release=2.0&ci=0.9&ci=0.8", 400, "bad_request", "\"ci is given twice\""),
    ("reach?release=2.0&ci=2", 400, "bad_request", "\"ci: \"2\" is outside 0.5 to 0.999"),
    ("reach?release=2.0&emulators=perhaps", 400, "bad_request", "emulators is true or false"),
    (
      "reach?release=2.0&require=reach%3E0", 400, "bad_request",
      "there is no parameter \"require\"; known: release, app"
    ),
    ("reach?release=2.0&db=/etc/passwd", 400, "bad_request", "there is no parameter \"db\""),
    ("reach?release=2.0&channel=%ff", 400, "bad_request", "a parameter cannot be decoded"),
    (
      "reach?release=2.1", 400, "bad_request",
      "is not in the database; did you mean 2.0, 1.0? GET /v1/answers/releases lists them"
    ),
    ("reach?release=", 400, "bad_request", "the parameter release is empty"),
    ("reach?release=2.0&channel=", 400, "bad_request", "the parameter channel is empty"),
    ("reach?release=2.0&by=chanel", 400, "bad_request", "; did you mean channel?"),
    ("push?by=tag:c%21d", 400, "bad_request", "\"by: no device can have a tag \"c!d\""),
    (
      "reach?release=2.0&by=osVersion,appVersion,sdkVersion,network", 400, "bad_request",
      "narrow by the others: where=network=VALUE"
    ),
    (
      "push?now=2026-11-28T14:00:00+01:00", 400, "bad_request",
      "write %2B, as in now=2026-11-28T14:00:00%2B01:00"
    ),
    (
      "push?since=1d&until=7d", 400, "bad_request",
      "name the earlier time with since; ages count back from now, such as since=7d until=1d"
    ),
    ("push?platform=ios", 400, "bad_request", "on platform \"ios\"; no device has named a platform yet"),
    ("reach?release=2.0&app=x", 400, "bad_request", "app \"x\" is not in the database; known apps: a"),
    ("breadcrumbs?device=-", 400, "bad_request", "there is no standard input here; name a device"),
  ]

  @Test(arguments: refusals) func refuses(_ row: (query: String, status: Int, code: String, says: String)) {
    let response = served.ask("GET", "/v1/answers/" + row.query)
    #expect((response.status, response.code) == (row.status, row.code), "\(row.query)")
    #expect(response.text.replacing("\\\"", with: "\"").contains(row.says), "\(row.query): \(response.text)")
  }

  /// A parameter chooses, not an option.
  @Test func severalAppsAreToldApartByAParameter() {
    _ = served.ask("POST", "/v1/events", #"{"device":"d","stage":"check","app":"b","release":"1.0"}"#)
    let response = served.ask("GET", "/v1/answers/push")
    #expect(response.status == 400 && response.text.contains("name one with app=…: a, b"), "\(response.text)")
  }

  /// Whoever has a key of one app does not learn which others there are.
  @Test func aKeyOfAnAppThatNothingIsStoredOfLearnsNothing() throws {
    let key = try served.key(.read, app: "other")
    let response = served.ask("GET", "/v1/answers/push", key: key)
    #expect((response.status, response.code) == (404, "nothing_stored") && !response.text.contains("known"))
    let wrong = served.ask("GET", "/v1/answers/push?app=a", key: key)
    #expect((wrong.status, wrong.code) == (403, "wrong_app"))
    #expect(served.ask("GET", "/v1/answers/push?app=other", key: key).status == 404)
  }

  @Test(arguments: [
    (StoreError(.tookTooLong, path: "/x") as any Error, 503, "question_too_long"),
    (StoreError(.locked, path: "/x"), 503, "database_unusable"), (StoreError(.full, path: "/x"), 500, "internal"),
    (QuestionError.nothingStored, 404, "nothing_stored"), (QuestionError.sameRelease("1"), 400, "bad_request"),
    (CancellationError(), 500, "internal"), (BadForm("a", "b", status: 403), 403, "wrong_app"),
  ]) func errorsHaveTheirStatus(_ error: any Error, _ status: Int, _ code: String) {
    let response = Response(asking: error, hasKey: false)
    #expect((response.status, response.code) == (status, code))
    #expect(!response.text.contains("/x"), "nobody learns where the database lies")
  }

  @Test func trailsHaveTheFormsOfCrashReporters() {
    let path = "/v1/devices/d1/breadcrumbs"
    #expect(served.ask("GET", path).text.hasPrefix(#"{"data":[{"#))
    #expect(served.ask("GET", path + "?format=json").text == served.ask("GET", path).text)
    #expect(served.ask("GET", path + "?format=sentry").text.hasPrefix(#"{"breadcrumbs":{"values":["#))
    #expect(served.ask("GET", "/v1/devices/nobody/breadcrumbs?format=sentry").text == "{}\n")
    for (query, says) in [
      ("?format=xml", "format is json, sentry, bugsnag or crashlytics"), ("?limit=0", "is outside 1 to 100000"),
      ("?since=7d", "there is no parameter \\\"since\\\"; known: app, format, limit, now"),
    ] {
      let response = served.ask("GET", path + query)
      #expect(response.code == "bad_request" && response.text.contains(says), "\(response.text)")
    }
  }
}
