internal import Console
internal import Lifecycle

extension OpenAPI {
  /// `docs/events.md`, as a schema. What is not named here is counted and ignored.
  static let event: JSON = [
    "type": "object", "required": ["device", "stage"],
    "properties": [
      "device": text(128), "stage": words(Stage.self), "app": text(128), "trigger": words(Trigger.self), "at": instant,
      "sentAt": instant, "release": text(128), "channel": text(64), "id": text(64), "from": text(128),
      "platform": text(64), "osVersion": text(64), "appVersion": text(64), "sdkVersion": text(64), "network": text(64),
      "durationMs": count, "bytes": count, "outcome": words(Outcome.self), "reason": reason,
      "appState": words(AppState.self), "appIsStarting": flag, "push": text(128), "region": text(32),
      "deviceModel": text(64), "tags": tags, "bucket": ["type": "integer", "minimum": 0, "maximum": 99],
      "arm": text(64), "emulator": flag,
    ],
  ]

  private static let flag: JSON = ["type": "boolean"]
  private static let reason: JSON = ["type": "string", "description": "Cut after 256 bytes"]
  private static let tags: JSON = [
    "type": "object", "description": "Up to eight names with short values; what is more is left out",
    "additionalProperties": ["type": ["string", "number", "boolean"]],
  ]

  static func words<Word: RawRepresentable<String> & CaseIterable>(_: Word.Type) -> JSON {
    ["enum": .array(Word.allCases.map { .string($0.rawValue) })]
  }
}
