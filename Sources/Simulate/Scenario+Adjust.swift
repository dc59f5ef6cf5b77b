import Lifecycle

extension Scenario {
  /// The same scenario with another number of releases: the last ones are left out, or ordinary ones follow at even
  /// distances until the end, on the first channel.
  public func with(releases count: Int) -> Scenario {
    var scenario = self
    scenario.releases = Array(releases.prefix(count))
    let missing = count - scenario.releases.count
    guard missing > 0 else { return scenario }
    let last = scenario.releases.flatMap(\.publications).map(\.at).max() ?? .zero
    let distance = (.days(Int64(days)) - last) * (1 / Double(missing + 1))
    for number in 1...missing {
      let at = last + distance * Double(number)
      scenario.releases.append(
        ReleasePlan(
          label: freeLabel(after: scenario.releases.count, in: scenario),
          publications: [PublicationPlan(channel: channels[0].name, at: at)]))
    }
    return scenario
  }

  private func freeLabel(after count: Int, in scenario: Scenario) -> String {
    let taken = Set(scenario.releases.map(\.label) + [base])
    var number = count + 1
    while taken.contains("next.\(number)") { number += 1 }
    return "next.\(number)"
  }
}
