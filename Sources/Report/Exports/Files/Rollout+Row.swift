internal import Console
internal import Lifecycle
internal import Query
internal import Statistics

extension Rollout {
  /// A column of a file with its value.
  struct Field {
    var name: String
    var value: JSON
    /// A number that is measured, not a name or a time.
    var isFigure = false
  }

  /// The same columns for every release, whatever is known of it.
  var row: [Field] {
    let facts = standing.facts
    var row = [
      Field(name: "app", value: .string(app)), Field(name: "release", value: .string(release)),
      Field(name: "channel", value: .string(channel)), Field(name: "verdict", value: .string(verdictWord)),
      Field(name: "stage", value: .string(Self.stage(facts, at: now).rawValue)),
      Field(name: "publishedAt", value: facts.publishedAt.map { .string($0.rfc3339) } ?? .null),
      Field(name: "supersededAt", value: facts.supersededAt.map { .string($0.rfc3339) } ?? .null),
      Field(name: "generatedAt", value: .string(now.rfc3339)),
      figure("percent", Self.percent(facts, at: now)),
    ]
    row += [figure("devices", Double(figures.devices)), figure("updated", Double(figures.updated))]
    row.append(figure("observedShare", figures.observedShare))
    row += parts("adoption", figures.adoption) + [figure("adoptionSeconds", figures.adoptionSeconds.map(Double.init))]
    row += parts("medianSeconds", figures.median)
    row += [figure("attempts", Double(figures.attempts)), figure("failed", Double(figures.failed))]
    row += parts("failureRate", figures.failureRate) + [figure("failureLimit", figures.failureLimit)]
    row += Trigger.allCases.map { figure("by" + $0.capitalised, Double(figures.mechanisms[$0.rawValue] ?? 0)) }
    // Columns that came later stand last: files are read by place, too.
    return row + [
      Field(name: "observedReason", value: figures.observedReason.map(JSON.string) ?? .null),
      clock("adoptionClock", .releaseAge, of: figures.adoption), clock("medianClock", .own, of: figures.median),
      Field(name: "rolloutByPlatform", value: Self.platforms(facts, at: now).map(JSON.string) ?? .null),
      Field(name: "verdictPlatforms", value: judgedPlatforms.map(JSON.string) ?? .null),
    ]
  }

  /// The ones that the verdict is about; nil where it is about all devices, as figures are.
  private var judgedPlatforms: String? {
    verdict.flatMap { $0.platforms.isEmpty ? nil : $0.platforms.joined(separator: ", ") }
  }

  /// When a figure's time begins: those of one row have two beginnings.
  private func clock(_ name: String, _ clock: Clock, of estimate: Estimate?) -> Field {
    Field(name: name, value: estimate?.value == nil ? .null : .string(clock.rawValue))
  }

  private func figure(_ name: String, _ value: Double?) -> Field {
    Field(name: name, value: value.map(RolloutFigures.number) ?? .null, isFigure: true)
  }

  private func parts(_ name: String, _ estimate: Estimate?) -> [Field] {
    [figure(name, estimate?.value), figure(name + "Lo", estimate?.lo), figure(name + "Hi", estimate?.hi)]
  }
}

extension Trigger {
  fileprivate var capitalised: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}
