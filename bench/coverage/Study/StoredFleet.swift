import Foundation
import Ingest
import Lifecycle
import Query
public import Simulate
import Store

/// A fleet that lived through a scenario and was received as a service would: request by request, each once it came in.
public final class StoredFleet {
  public let path: String
  public let scenario: Scenario
  public let truth: Truth
  private let directory: String

  public init(_ scenario: Scenario, seed: UInt64) throws {
    let directory = NSTemporaryDirectory() + "uptake-coverage-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    self.directory = directory
    path = directory + "/fleet.db"
    self.scenario = scenario
    do {
      truth = try Self.receive(Fleet(scenario, seed: seed), path)
      try Folder(path: path).foldAll()
      let registry = try Registry(path: path)
      for publication in scenario.registrations {
        try registry.publish(publication, now: publication.publishedAt)
      }
    } catch {
      try? FileManager.default.removeItem(atPath: directory)
      throw error
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  private static func receive(_ fleet: Fleet, _ path: String) throws -> Truth {
    let log = try EventLog(path: path, durability: .normal, window: 1 << 20)
    let decoder = NativeDecoder(keys: log.identityKeys)
    var batches: [EventBatch] = []
    let truth = try fleet.run { request in
      let decoded = decoder.decode(
        request.body.span.bytes, as: .ndjson,
        .request(app: nil, received: request.received, sentAt: request.sentAt))
      guard decoded.rejected.total == 0 else { throw Refused(requests: decoded.rejections.map { "\($0)" }) }
      batches.append(decoded.batch)
      if batches.count >= 2000 {
        _ = try log.append(batches)
        batches = []
      }
    }
    _ = try log.append(batches)
    return truth
  }

  /// The simulation breaks the contract of ingest.
  struct Refused: Error { var requests: [String] }

  /// The measured release at the end of the scenario, or at an earlier instant.
  func chosen(now: Timestamp? = nil, _ change: (inout Selection) -> Void = { _ in }) throws -> ReleaseScope {
    let snapshot = try Snapshot(path: path)
    var chosen = try ReleaseScope(
      snapshot.vocabulary, app: nil, release: ReleaseLabel(rawValue: StudyScenario.release), now: now ?? scenario.until)
    chosen.selection.channels = [StudyScenario.channel]
    change(&chosen.selection)
    return chosen
  }
}
