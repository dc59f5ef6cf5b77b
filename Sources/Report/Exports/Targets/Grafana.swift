internal import Console
internal import Lifecycle

/// Grafana: an annotation for each publication, step, milestone and verdict.
extension ExportTarget {
  public static let grafana = ExportTarget(
    name: "grafana", title: "Grafana annotations",
    kinds: RolloutFact.Kind.news,
    placeVariable: "GRAFANA_URL", secretVariable: "GRAFANA_TOKEN"
  ) { fact, destination, _ in
    Parcel(
      "POST", "\(destination.place)/api/annotations", ["Authorization": "Bearer \(destination.secret)"],
      json: [
        "time": .integer(Int(fact.at.rawValue)), "text": .string(markup("\(fact.title)\n\(fact.text)")),
        "tags": .array(
          ["uptake", fact.kind.rawValue, fact.level.rawValue].map(JSON.string)
            + [
              ("app", fact.app), ("release", fact.release), ("channel", fact.channel),
              ("finding", fact.finding?.name ?? ""),
            ]
            .filter { !$0.1.isEmpty }.map { .string(line("\($0):\($1)", atMost: 100)) }),
      ])
  }

  /// Grafana shows texts as HTML: `<2.0>` would not be seen, and names from devices must not make links.
  private static func markup(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
