import Lifecycle
public import Simulate

/// A rollout of the study: many small fleets live through it, each with a seed of its own.
public struct StudyScenario: Sendable {
  public let name: String
  /// What is hard about it.
  public let about: String
  /// Clients do not say their rollout bucket: the answer is about another clock than the truth.
  public let hidesBuckets: Bool
  private let lines: String

  /// The release that is measured, on the channel that is measured.
  static let release = "2.0.0"
  static let channel = "production"

  init(_ name: String, _ about: String, hidesBuckets: Bool = false, _ lines: String) {
    self.name = name
    self.about = about
    self.hidesBuckets = hidesBuckets
    self.lines = lines
  }

  public func scenario(devices: Int? = nil) throws -> Scenario {
    var scenario = try Scenario(parsing: "name \(name)\n" + lines, file: name)
    if let devices { scenario.devices = devices }
    return scenario
  }
}

extension Scenario {
  /// What a release manager would have registered.
  var registrations: [Publication] {
    releases.flatMap { plan in
      plan.publications.map { publication in
        let at = start + publication.at
        return Publication(
          app: app, release: ReleaseLabel(rawValue: plan.label), channel: publication.channel,
          platform: publication.platform?.name, publishedAt: at,
          rollout: publication.rollout.map { RolloutStep(at: at + $0.after, percent: $0.percent) },
          mandatory: publication.mandatory)
      }
    }
  }
}
