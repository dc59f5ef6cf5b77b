import Foundation
import Ingest
import Lifecycle
import Simulate
import Store

/// A month of some hundred phones with everything that an answer can hold: several releases in steps, one of which fails, a
/// hold-out, pushes, wake-ups and changes of channel.
struct SimulatedFleet: Sendable {
  let path: String
  let device: String
  /// When its story ends.
  let end: Timestamp

  static let shared = Result { try SimulatedFleet() }
  static let app = "com.example.shop"

  private static let scenario = """
    name all-of-it
    about Everything that an answer can hold.
    days 30
    devices 280
    base 1.0.0
    channel production 90%
    channel beta 10%
    holdout 20%
    switches 30%

    """
    + (1...9).map { number in
      """
      release 2.\(number).0
        \(number == 7 ? "crashes-on 20%" : number == 6 ? "crashes-on 60% of android" : "size 300KB")
        publish beta at \(3 * number - 2)d9h
        publish production at \(3 * number - 2)d10h rollout 60%@0h,100%@4h
        push production at \(3 * number - 2)d16h

      """
    }.joined()

  private init() throws { try self.init(Scenario(parsing: Self.scenario, file: "scenario"), "fleet") }

  /// Of a file that is there.
  init(path: String) { (self.path, device, end) = (path, "", Timestamp(rawValue: 0)) }

  /// - Parameter name: of the file, another for each fleet.
  init(_ scenario: Scenario, _ name: String) throws {
    let folder = NSTemporaryDirectory() + "uptake-fields-\(ProcessInfo.processInfo.processIdentifier)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    atexit {
      try? FileManager.default.removeItem(
        atPath: NSTemporaryDirectory() + "uptake-fields-\(ProcessInfo.processInfo.processIdentifier)")
    }
    path = folder + "/\(name).db"
    var (events, device): ([UInt8], String) = ([], "")
    _ = Fleet(scenario, seed: 1, slice: .days(2), stampsTransport: true).run { request in
      if case .device(let id) = request.sender, device.isEmpty { device = id }
      events += request.body
    }
    let log = try EventLog(path: path)
    let decoded = NativeDecoder(keys: log.identityKeys).decode(
      events.span.bytes, as: .ndjson, .file(app: Self.app, now: scenario.until))
    _ = try log.append([decoded.batch])
    _ = try log.foldAll()
    (self.device, end) = (device, scenario.until)
    let registry = try Registry(path: path)
    for release in scenario.releases {
      for plan in release.publications {
        let at = scenario.start + plan.at
        try registry.publish(
          Publication(
            app: Self.app, release: ReleaseLabel(rawValue: release.label), channel: plan.channel, platform: nil,
            publishedAt: at, rollout: plan.rollout.map { RolloutStep(at: at + $0.after, percent: $0.percent) },
            mandatory: plan.mandatory), now: at)
      }
    }
  }
}
