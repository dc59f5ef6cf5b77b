/// The study's tables in Markdown.
public struct Tables {
  private let results: Results
  private let scenarios: [StudyScenario]

  public init(_ results: Results, _ scenarios: [StudyScenario]) {
    self.results = results
    self.scenarios = scenarios
  }

  private var pooledNames: [String] { scenarios.filter { !$0.hidesBuckets }.map(\.name) }
  private func isPooled(_ name: String) -> Bool { pooledNames.contains(name) }

  /// All scenarios together but the one whose clients hide their buckets.
  public var pooled: String {
    let head = ["estimate", "fleets", "covers the process", "bias", "off its own fleet", "bias among the living"]
    let rows = results.measures.compactMap { measure -> [String]? in
      let process = results.coverage(of: measure, .uptake, .heardOf, in: isPooled)
      guard process.fleets > 0 else { return nil }
      let own = results.coverage(of: measure, .uptake, .thisFleet, in: isPooled)
      let living = results.coverage(of: measure, .uptake, .living, in: isPooled)
      return [
        measure.rawValue, "\(process.fleets)", percent(process), difference(process.bias, measure),
        difference(own.meanError, measure, sign: false),
        difference(living.bias, measure),
      ]
    }
    return table(head, rows)
  }

  /// A row per scenario, a column per measure: coverage of the process.
  public func byScenario(_ measures: [Measure]) -> String {
    let rows = scenarios.map { scenario in
      [scenario.name]
        + measures.map { measure in
          let found = results.coverage(of: measure, .uptake, .heardOf) { $0 == scenario.name }
          return found.fleets == 0 ? "" : "\(found.covered)/\(found.fleets)" + (found.isAsSaid ? "" : " *")
        }
    }
    return table(["scenario"] + measures.map(\.rawValue), rows)
  }

  /// Every way of computing a number side by side, against the truth among the living.
  public func methods(_ measures: [Measure], in chosen: [String]) -> String {
    let isChosen = { chosen.contains($0) }
    let rows = measures.flatMap { measure in
      Method.allCases.compactMap { method -> [String]? in
        let heard = results.coverage(of: measure, method, .heardOf, in: isChosen)
        let living = results.coverage(of: measure, method, .living, in: isChosen)
        guard heard.fleets > 0 else { return nil }
        return [
          measure.rawValue, method.rawValue, difference(heard.bias, measure), percent(heard, bare: true),
          difference(living.bias, measure), percent(living, bare: true),
        ]
      }
    }
    return table(
      ["estimate", "method", "bias", "covers", "bias among the living", "covers among the living"], rows)
  }

  private func percent(_ coverage: Coverage, bare: Bool = false) -> String {
    let share = fixed(coverage.share * 100, 1) + " %"
    return bare ? share : share + " ± " + fixed(coverage.standardError * 100, 1) + (coverage.isAsSaid ? "" : " *")
  }

  private func difference(_ value: Double, _ measure: Measure, sign: Bool = true) -> String {
    let sign = !sign ? "" : value < 0 ? "−" : "+"
    let size = abs(value)
    return measure.isTime ? sign + fixed(size / 3600, 2) + " h" : sign + fixed(size * 100, 2) + " pp"
  }

  private func table(_ head: [String], _ rows: [[String]]) -> String {
    let rule = head.indices.map { $0 == 0 ? "---" : "---:" }
    return ([head, rule] + rows).map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
  }
}

/// A number with so many places, by hand so that no locale has a say.
func fixed(_ value: Double, _ places: Int) -> String {
  guard value.isFinite else { return "–" }
  let scale = (0..<places).reduce(1.0) { power, _ in power * 10 }
  let digits = String(Int64((abs(value) * scale).rounded()))
  let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
  let text = places == 0 ? padded : padded.dropLast(places) + "." + padded.suffix(places)
  return (value < 0 ? "−" : "") + text
}
