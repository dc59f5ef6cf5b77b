internal import Console
public import Lifecycle

/// A single event, as a log record tells it.
public struct EventRecord: Equatable, Sendable {
  public var at: Timestamp
  public var received: Timestamp?
  /// The same for the same event, so that a repeat is recognised.
  public var id: String
  /// Of the installation; a hash.
  public var device: String
  public var app: String
  public var stage: String
  /// What else is known, by the name of its attribute.
  public var attributes: [String: String]
  public var resource: [String: String]

  public init(
    at: Timestamp, received: Timestamp?, id: String, device: String, app: String, stage: String,
    attributes: [String: String], resource: [String: String]
  ) {
    (self.at, self.received, self.id, self.device) = (at, received, id, device)
    (self.app, self.stage, self.attributes, self.resource) = (app, stage, attributes, resource)
  }
}

extension ExportTarget {
  /// Many events as one request of OpenTelemetry's logs protocol.
  ///
  /// Attributes have the names that `POST /v1/logs` of this program reads, so that nothing is lost on the way into another.
  public static func eventLog(_ events: [EventRecord], to destination: Destination) -> Parcel {
    logs(resources(events), to: destination)
  }

  /// Events of one device that follow one another share what is said about it.
  private static func resources(_ events: [EventRecord]) -> [JSON] {
    var resources: [(attributes: [String: String], records: [JSON])] = []
    for event in events {
      let attributes = event.resource.merging([
        "service.name": event.app, "uptake.app": event.app, "app.installation.id": event.device,
      ]) { own, _ in own }
      if resources.last?.attributes != attributes { resources.append((attributes, [])) }
      resources[resources.count - 1].records.append(record(event))
    }
    return resources.map { resource(texts($0.attributes), $0.records) }
  }

  private static func record(_ event: EventRecord) -> JSON {
    [
      "timeUnixNano": .string("\(event.at.rawValue)000000"),
      "observedTimeUnixNano": .string("\((event.received ?? event.at).rawValue)000000"), "severityNumber": 9,
      "severityText": "INFO", "eventName": .string("ota.\(event.stage)"),
      "body": ["stringValue": .string(event.stage)],
      "attributes": texts(
        event.attributes.merging(["ota.stage": event.stage, "log.record.uid": event.id]) { own, _ in own }),
    ]
  }

  private static func texts(_ all: [String: String]) -> JSON {
    .array(
      all.sorted { $0.key < $1.key }.map { ["key": .string($0.key), "value": ["stringValue": .string($0.value)]] })
  }
}
