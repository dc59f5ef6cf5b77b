internal import Console
internal import Lifecycle
internal import Query

/// A fact in Sentry's words, inside its limits: what it would drop or change is put right before.
struct SentryEvent {
  private let fact: RolloutFact
  private let release: String
  private let environment: String

  init(_ fact: RolloutFact, _ destination: Destination) {
    var destination = destination
    // Only `package@version` is read as a version there.
    destination.details[.releaseName] = destination[.releaseName] ?? "{app}@{release}"
    self.fact = fact
    release = Self.name(destination.releaseName(fact), atMost: 200)
    environment = Self.name(destination.environment(fact), atMost: 64)
  }

  var json: JSON {
    let fields: [String: JSON?] = [
      "event_id": .string(fact.id), "timestamp": Self.seconds(fact.at), "platform": "other",
      "level": .string(fact.level.rawValue), "logger": "uptake.rollout",
      "logentry": ["formatted": .string(String("\(fact.title)\n\(fact.text)".prefix(8000)))],
      "release": fact.release.isEmpty ? nil : .string(release),
      "environment": fact.channel.isEmpty ? nil : .string(environment),
      "fingerprint": .array(fingerprint.map(JSON.string)),
      "tags": .object(tags.mapValues { .string(line($0, atMost: 200)) }),
      "contexts": fact.figures.map { ["rollout": .object(context($0))] },
      "breadcrumbs": ["values": .array(fact.story.suffix(100).map(Self.breadcrumb))],
      "sdk": ["name": "uptake", "version": "1"],
    ]
    return .object(fields.compactMapValues(\.self))
  }

  /// One issue for each release and channel, or for each finding.
  private var fingerprint: [String] {
    fact.finding.map { ["uptake-finding", fact.app, $0.key] } ?? [
      "uptake-rollout", fact.app, fact.release, fact.channel,
    ]
  }

  private var tags: [String: String] {
    var tags = ["ota.app": fact.app, "ota.release": fact.release, "ota.channel": fact.channel]
    tags["ota.stage"] = fact.stage?.rawValue
    tags["ota.mechanism"] = fact.figures.map { $0.leadingMechanism ?? "none yet" }
    tags["ota.verdict"] = fact.verdict
    tags["ota.finding"] = fact.finding?.name
    return tags.filter { !$0.value.isEmpty }
  }

  private func context(_ figures: RolloutFigures) -> [String: JSON] {
    guard case .object(var context) = figures.json else { return [:] }
    context["type"] = "rollout"
    context["percent"] = fact.percent.map(RolloutFigures.number)
    context["rolloutByPlatform"] = fact.rolloutByPlatform.map(JSON.string)
    context["publishedAt"] = fact.publishedAt.map { .string($0.rfc3339) }
    context["mechanisms"] = .object(figures.mechanisms.mapValues { .integer($0) })
    return context
  }

  private static func breadcrumb(_ chapter: RolloutFact.Chapter) -> JSON {
    [
      "timestamp": seconds(chapter.at), "type": chapter.level == .error ? "error" : "default",
      "category": .string("rollout.\(chapter.kind.rawValue)"), "level": .string(chapter.level.rawValue),
      "message": .string(String(chapter.text.prefix(1000))),
    ]
  }

  /// The same as one item of a container of logs.
  var log: JSON {
    var attributes = tags
    attributes["sentry.release"] = release
    attributes["sentry.environment"] = environment
    attributes["ota.kind"] = fact.kind.rawValue
    attributes["ota.fact"] = fact.id
    var typed = attributes.mapValues { value -> JSON in ["value": .string(value), "type": "string"] }
    for (name, value) in fact.figures?.numbers ?? [] {
      typed["ota.\(name)"] = ["value": .number(Number.rounded(value)), "type": "double"]
    }
    return [
      "timestamp": Self.seconds(fact.at), "trace_id": .string(fact.id),
      "level": .string(fact.level == .warning ? "warn" : fact.level.rawValue), "body": .string(fact.text),
      "attributes": .object(typed),
    ]
  }

  private static func seconds(_ at: Timestamp) -> JSON { .number(Double(at.rawValue) / 1000) }

  /// A release or environment: without what makes Sentry throw it away.
  static func name(_ text: String, atMost limit: Int) -> String {
    let clean = line(text, atMost: limit).map { "/\\".contains($0) ? "-" : $0 }
    let name = String(clean).trimmingSpaces()
    return [".", "..", "latest", "none", ""].contains(name.lowercased()) ? "-" + name + "-" : name
  }
}

extension String {
  fileprivate func trimmingSpaces() -> String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
