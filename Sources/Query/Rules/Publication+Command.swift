public import Console
public import Lifecycle
internal import Store

extension Publication {
  /// What registers it.
  public var command: ShellCommand {
    var command = self.command(to: "publish").option("at", publishedAt.rfc3339)
    if !rollout.isEmpty { command = command.option("rollout", rollout.map(step).joined(separator: ",")) }
    return mandatory ? command.option("mandatory") : command
  }

  /// What lets a share of the devices have it from the time on at which the command is run.
  public func widening(to percent: Double) -> ShellCommand {
    PublicationPlace(self).command(to: "widen", percent.formatted)
  }

  /// A command about it.
  public func command(to word: String) -> ShellCommand { PublicationPlace(self).command(to: word) }

  /// Hours after the publication where these are exact, else an instant.
  private func step(_ step: RolloutStep) -> String {
    let after = (step.at - publishedAt).rawValue
    let (share, isExact) = (step.percent.formatted, after >= 0 && after % 1_800_000 == 0)
    return "\(share)%@\(isExact ? (Double(after) / 3_600_000).formatted + "h" : step.at.rfc3339)"
  }
}

extension PublicationPlace {
  func command(to word: String, _ more: String...) -> ShellCommand {
    let words = ShellCommand("uptake", "release", word).argument(release.rawValue)
    let command = more.reduce(words) { $0.argument($1) }.option("app", app).option("channel", channel)
    return platform.map { command.option("platform", $0) } ?? command
  }
}

extension Double {
  fileprivate var formatted: String { self == rounded() ? String(Int(self)) : String(self) }
}
