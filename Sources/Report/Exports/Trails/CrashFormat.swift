public import Console
internal import Lifecycle
public import Query

/// A device's trail in the words of a crash reporter: the part of a crash event that tells of updates.
public enum CrashFormat: String, CaseIterable, Sendable {
  case sentry, bugsnag, crashlytics
}

extension Breadcrumbs {
  /// What to merge into the crash event, or paste beside it.
  public func fragment(_ format: CrashFormat) -> JSON {
    switch format {
    case .sentry: sentry
    case .bugsnag: bugsnag
    case .crashlytics: crashlytics
    }
  }

  /// The crash reporters' clients call the trigger a breadcrumb's `type`; so do we.
  private func details(_ crumb: Crumb) -> JSON {
    let all: [(String, String?)] = [
      ("stage", crumb.stage), ("type", crumb.trigger), ("release", crumb.release), ("outcome", crumb.outcome),
      ("reason", crumb.reason), ("channel", crumb.channel), ("network", crumb.network),
    ]
    var fields = Dictionary(uniqueKeysWithValues: all.compactMap { name, text in text.map { (name, JSON.string($0)) } })
    fields["seconds"] = crumb.seconds.map(JSON.number)
    return .object(fields)
  }

  private var isTrouble: (Crumb) -> Bool { { ["failed", "rolledBack", "crashed"].contains($0.stage) } }

  /// Which update, by which mechanism, how long ago, what failed.
  var keys: [(name: String, value: String)] {
    let all: [(String, String?)] = [
      ("ota_release", running?.release), ("ota_mechanism", running?.mechanism),
      ("ota_applied_at", running?.at?.rfc3339), ("ota_applied_seconds_ago", running?.secondsAgo.map { String($0) }),
      ("ota_seconds_from_offer", running?.secondsFromOffer.map { String($0) }), ("ota_channel", channel),
      ("ota_failed_release", failure?.release), ("ota_failed_at", failure?.at.rfc3339),
      ("ota_failed_reason", failure?.reason), ("ota_summary", summary),
    ]
    return all.compactMap { name, value in value.map { (name, line($0, atMost: 200)) } }
  }

  private var sentry: JSON {
    let crumbs = crumbs.suffix(100).map { crumb -> JSON in
      [
        "timestamp": .number(Double(crumb.at.rawValue) / 1000), "type": isTrouble(crumb) ? "error" : "default",
        "category": "ota", "level": isTrouble(crumb) ? "error" : "info",
        "message": .string(String(crumb.text.prefix(1000))), "data": details(crumb),
      ]
    }
    let tags = keys.filter { ["ota_release", "ota_mechanism", "ota_channel"].contains($0.name) }
    var context = object(keys)
    context["type"] = "ota"
    return [
      "breadcrumbs": ["values": .array(crumbs)],
      "tags": .object(
        Dictionary(uniqueKeysWithValues: tags.map { ($0.name.replacing("_", with: "."), .string($0.value)) })),
      "contexts": ["ota": .object(context)],
    ]
  }

  private var bugsnag: JSON {
    [
      "breadcrumbs": .array(
        crumbs.suffix(100).map { crumb in
          [
            "timestamp": .string(crumb.at.rfc3339), "name": .string(line(crumb.text, atMost: 100)),
            "type": isTrouble(crumb) ? "error" : "state", "metaData": details(crumb),
          ]
        }),
      "metaData": ["ota": .object(object(keys))],
    ]
  }

  /// At most 64 pairs of a kilobyte, and lines that its SDK would have logged: Crashlytics takes nothing from a server.
  private var crashlytics: JSON {
    [
      "keys": .object(object(keys)),
      "log": .array(
        crumbs.suffix(200).map { .string(line("\($0.at.rfc3339) ota \($0.text)", atMost: 300)) }),
    ]
  }

  private func object(_ pairs: [(name: String, value: String)]) -> [String: JSON] {
    Dictionary(uniqueKeysWithValues: pairs.map { ($0.name, .string($0.value)) })
  }
}
