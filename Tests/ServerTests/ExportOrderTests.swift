import Console
import Report
import Testing

@testable import Server

/// Where a receiver is, what its secret is, and that a wrong order says what to do.
struct ExportOrderTests {
  private func order(
    _ target: String, place: String? = nil, file: String? = nil, variable: String? = nil,
    details: [ExportTarget.Need: String] = [:], environment: [String: String] = [:], files: [String: String] = [:]
  ) throws -> ExportOrder {
    let sink = Sink(isTerminal: false, columns: 80) { _ in }
    let host = Host(
      arguments: [], environment: environment, output: sink, errors: sink,
      readFile: { (path) throws(Failure) in files[path].map { Array($0.utf8) } })
    return try ExportOrder(
      #require(ExportTarget.named(target)),
      .init(place: place, secretFile: file, secretVariable: variable, details: details, name: { "--" + $0 }), host,
      client: "uptake/1")
  }

  private func failure(_ make: () throws -> ExportOrder) -> Failure? {
    #expect(throws: Failure.self) { _ = try make() }
  }

  @Test func aSecretComesFromAFileBeforeTheEnvironment() throws {
    let environment = ["GRAFANA_TOKEN": "other", "MINE": "third"]
    let files = ["/s": "  tok\n"]
    let grafana = try #require(ExportTarget.named("grafana"))
    let usual = try #require(grafana.secretVariable)
    let fromFile = try order(
      "grafana", place: "http://x", file: "/s", environment: environment.merging([usual: "env"]) { $1 }, files: files)
    #expect(fromFile.destination.secret == "tok")
    #expect(try order("grafana", place: "http://x", environment: [usual: "env"]).destination.secret == "env")
    #expect(
      try order("grafana", place: "http://x", variable: "MINE", environment: environment).destination.secret == "third")
  }

  /// What is printed never holds the secret.
  @Test func secretsAreWithheld() throws {
    let made = try order("grafana", place: "http://x", file: "/s", files: ["/s": "tok-123456"])
    #expect(!made.redaction("Authorization: Bearer tok-123456").contains("tok-123456"))
  }

  @Test func saysWhatIsMissing() throws {
    #expect(failure { try order("grafana", place: "http://x") }?.code == "no_secret")
    #expect(failure { try order("grafana", place: "http://x", file: "/nowhere") }?.code == "file_missing")
    #expect(failure { try order("grafana", place: "http://x", file: "/s", files: ["/s": " \n"]) }?.code == "no_secret")
    #expect(
      failure { try order("grafana", place: "http://x", file: "/s", files: ["/s": "a\nb"]) }?.code == "no_secret")
    #expect(failure { try order("grafana", file: "/s", files: ["/s": "a"]) }?.code == "no_place")
    #expect(failure { try order("sentry", file: "/s", files: ["/s": "no dsn"]) }?.code == "bad_dsn")
  }

  /// Told at the start, not in a log at night; and no secret hides in what names a receiver in logs and metrics.
  @Test(arguments: [
    "nonsense", "ftp://x", "http://", "http://h:99999", "http://h/#f", "http://h /", "http://user:tok-123456@h",
    "http://h?token=tok-123456", "http://h/base?token=tok-123456", "",
  ]) func aPlaceIsAnAddressWithoutAQuery(_ place: String) {
    let refused = failure { try order("grafana", place: place, file: "/s", files: ["/s": "tok-123456"]) }
    #expect(refused?.code == "bad_url" && refused?.exit == .usage)
    #expect(refused.map { "\($0)".contains("tok-123456") } == false, "\(String(describing: refused))")
  }

  @Test(arguments: [
    ("http://h", "http://h"), ("https://h:8443/", "https://h:8443"), ("http://[::1]:9/base/", "http://[::1]:9/base"),
    ("https://xn--bcher-kva.example", "https://xn--bcher-kva.example"),
  ])
  func otherPlacesAreTaken(_ place: String, _ taken: String) throws {
    #expect(try order("grafana", place: place, file: "/s", files: ["/s": "a"]).destination.place == taken)
  }

  @Test func whatATargetHasNoUseForIsRefused() throws {
    let refused = failure {
      try order("grafana", place: "http://x", file: "/s", details: [.account: "1"], files: ["/s": "a"])
    }
    #expect(refused?.code == "unused_option" && refused?.what.contains("--account") == true)
  }

  @Test func whatATargetNeedsIsAskedFor() throws {
    let target = try #require(ExportTarget.all.first { !$0.needs.isEmpty && $0.secretVariable != "SENTRY_DSN" })
    let need = try #require(target.needs.first)
    let refused = failure { try order(target.name, place: "http://x", file: "/s", files: ["/s": "a"]) }
    #expect(refused?.code == "missing_option" && refused?.hints == ["give it with --\(need.rawValue)"])
  }

  @Test(arguments: [(nil, "http/json"), ("http/protobuf", "http/protobuf")] as [(String?, String)])
  func openTelemetryIsSpokenAsItIsAskedFor(_ word: String?, _ encoding: String) throws {
    let details = word.map { [ExportTarget.Need.encoding: $0] } ?? [:]
    #expect(try order("otlp", place: "http://x", details: details).destination.details[.encoding] == encoding)
    #expect(
      try order("otlp", place: "http://x", environment: [ExportTarget.Encoding.variable: encoding])
        .destination.details[.encoding] == encoding)
    #expect(failure { try order("otlp", place: "http://x", details: [.encoding: "grpc"]) }?.code == "bad_value")
  }
}
