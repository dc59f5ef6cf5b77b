internal import Console
internal import Lifecycle
internal import Query

/// What is known of rollouts as a file, for whoever has a loader of their own.
public enum RolloutFile: String, CaseIterable, Sendable {
  /// Figures and story of each release on each channel.
  case json
  /// Figures alone, a row for each release on each channel.
  case csv
  /// The same with column names that BigQuery takes, to be joined with the crashes that Crashlytics exports.
  case crashlytics
  /// Gauges, for what reads Prometheus' format.
  case openmetrics

  public func text(_ rollouts: [Rollout]) -> String {
    switch self {
    case .json: Self.document(rollouts)
    case .csv: Self.table(rollouts.map(\.row), ending: "\r\n") { $0 }
    case .crashlytics: Self.table(rollouts.map(\.row), ending: "\n", snakeCase)
    case .openmetrics: Self.gauges(rollouts)
    }
  }

  private static func document(_ rollouts: [Rollout]) -> String {
    let data = rollouts.map { rollout -> JSON in
      var fields = Dictionary(uniqueKeysWithValues: rollout.row.map { ($0.name, $0.value) })
      fields["story"] = .array(
        rollout.story.map { chapter -> JSON in
          [
            "at": .string(chapter.at.rfc3339), "kind": .string(chapter.kind.rawValue),
            "level": .string(chapter.level.rawValue), "text": .string(chapter.text),
          ]
        })
      return .object(fields)
    }
    let now = rollouts.map(\.now).max().map { JSON.string($0.rfc3339) } ?? .null
    let document: JSON = ["schema": "uptake.rollouts/1", "generatedAt": now, "data": .array(data)]
    return document.text() + "\n"
  }

  private static func table(
    _ rows: [[Rollout.Field]], ending: String, _ heading: (String) -> String
  ) -> String {
    guard let first = rows.first else { return "" }
    let lines =
      [first.map { heading($0.name) }.joined(separator: ",")] + rows.map { $0.map(cell).joined(separator: ",") }
    return lines.map { $0 + ending }.joined()
  }

  /// As RFC 4180 has it, with controls made visible; a text that a spreadsheet would take for a formula is kept from it.
  private static func cell(_ field: Rollout.Field) -> String {
    guard case .string(let text) = field.value else { return field.value == .null ? "" : field.value.text() }
    let safe = isFormula(text) ? "'" + harmless(text) : harmless(text)
    guard safe.unicodeScalars.contains(where: { [",", "\"", "\r", "\n"].contains($0) }) else { return safe }
    return "\"" + safe.replacingScalars { $0 == "\"" ? "\"\"" : nil } + "\""
  }

  private static func gauges(_ rollouts: [Rollout]) -> String {
    let names = rollouts.first?.row.filter { $0.isFigure }.map(\.name) ?? []
    let lines = names.flatMap { name -> [String] in
      let metric = "uptake_rollout_" + snakeCase(name)
      let samples = rollouts.compactMap { rollout -> String? in
        guard let value = rollout.row.first(where: { $0.name == name })?.value, value != .null else { return nil }
        return "\(metric){\(labels(rollout))} \(value.text())"
      }
      let help = Self.help[name].map { ["# HELP \(metric) \($0)"] } ?? []
      return samples.isEmpty ? [] : ["# TYPE \(metric) gauge"] + help + samples
    }
    return (lines + ["# EOF"]).map { $0 + "\n" }.joined()
  }

  /// Of what two clocks could be meant.
  private static let help = [
    "adoption": "Share that had updated, estimated for uptake_rollout_adoption_seconds after the publication.",
    "observedShare": "Updated of devices, counted.",
    "medianSeconds": "After so many seconds half had updated, each device from when it became eligible.",
  ]

  private static func labels(_ rollout: Rollout) -> String {
    [("app", rollout.app), ("channel", rollout.channel), ("release", rollout.release)].map { name, text in
      let value = text.replacingScalars { scalar in
        switch scalar {
        case "\\": "\\\\"
        case "\"": "\\\""
        case "\n": "\\n"
        default: harmless(String(scalar)).replacing("\\", with: "\\\\")
        }
      }
      return "\(name)=\"\(value)\""
    }.joined(separator: ",")
  }
}

/// `failureRateLo` is `failure_rate_lo`.
private func snakeCase(_ name: String) -> String {
  name.reduce(into: "") { result, letter in
    if letter.isUppercase { result += "_" }
    result += letter.lowercased()
  }
}
