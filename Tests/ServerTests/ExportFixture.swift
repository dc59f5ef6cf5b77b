import Console
import Foundation
import HTTP
import Lifecycle
import Report
import Store
import Synchronization
import Testing

@testable import Server

/// A database with releases of which a receiver is to be told, and orders to tell it.
final class ExportFixture {
  let served: ServedDatabase
  let registry: Registry
  static let secret = "tok-123456"
  static let noon = Timestamp(rawValue: 1_740_960_000_000)

  /// - Parameter releases: each is published a minute after the one before, and takes its place.
  init(releases: Int = 3) throws {
    served = try ServedDatabase()
    for number in 0..<releases {
      let at = "2025-03-02T00:0\(number):00Z"
      let answer = served.ask("PUT", "/v1/releases/\(number).0", #"{"app":"a","publishedAt":"\#(at)"}"#)
      #expect(answer.status == 200, "\(answer.text)")
    }
    registry = try Registry(path: served.path)
  }

  func order(
    _ target: String = "grafana", to place: String, secret: String = ExportFixture.secret
  ) throws -> ExportOrder {
    let sink = Sink(isTerminal: false, columns: 80) { _ in }
    let host = Host(
      arguments: [], environment: [:], output: sink, errors: sink,
      readFile: { (_) throws(Failure) in Array(secret.utf8) })
    return try ExportOrder(
      #require(ExportTarget.named(target)),
      .init(place: place, secretFile: "/s", secretVariable: nil, details: [:], name: { "--" + $0 }), host,
      client: "uptake/1")
  }

  func exporter(_ order: ExportOrder, at now: Timestamp = noon) -> Exporter {
    Exporter(order: order, registry: registry, clock: { now })
  }

  /// An exporter that has noticed everything, and how much that is.
  func ready(_ order: ExportOrder, at now: Timestamp = noon) throws -> (exporter: Exporter, facts: Int) {
    let exporter = exporter(order, at: now)
    let new = try exporter.remember(exporter.news(order.choice.rollouts(path: served.path, now: now)))
    try #require(new >= 3)
    return (exporter, new)
  }

  func standing(_ order: ExportOrder) throws -> ExportStanding {
    let name = order.destination.identity(order.target)
    return try #require(try registry.exportStandings().first { $0.target == name })
  }

  func unsent(_ order: ExportOrder) throws -> [ExportRecord] {
    try registry.unsent(order.destination.identity(order.target))
  }

  static func client(_ timeout: Swift.Duration = .seconds(10)) -> HTTPClient {
    HTTPClient(userAgent: "uptake/1", timeout: timeout)
  }
}
