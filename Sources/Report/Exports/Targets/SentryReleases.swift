internal import Console
internal import Lifecycle
internal import Query

/// Sentry's releases, and a deploy of them for each step of the rollout.
extension ExportTarget {
  public static let sentryReleases = ExportTarget(
    name: "sentry-releases", title: "Sentry releases and deploys", kinds: [.published, .step, .halted],
    placeVariable: "SENTRY_URL", defaultPlace: "https://sentry.io", secretVariable: "SENTRY_AUTH_TOKEN",
    needs: [.organization, .project], mayHave: [.environment, .releaseName],
    // A release that is there already.
    manners: RetryPolicy(known: [208])
  ) { fact, destination, _ in
    guard let organization = destination[.organization], let project = destination[.project] else { return nil }
    var named = destination
    named.details[.releaseName] = destination[.releaseName] ?? "{app}@{release}"
    let version = SentryEvent.name(named.releaseName(fact), atMost: 200)
    let releases = "\(destination.place)/api/0/organizations/\(percentEncoded(organization))/releases/"
    let at = JSON.string(fact.at.rfc3339)
    guard fact.kind != .published else {
      return Parcel(
        "POST", releases, ["Authorization": "Bearer \(destination.secret)"],
        json: ["version": .string(version), "projects": [.string(project)], "dateReleased": at])
    }
    let environment = SentryEvent.name(destination.environment(fact), atMost: 64)
    let name =
      fact.kind == .halted ? "halted" : fact.rolloutByPlatform ?? Rollout.words(fact.percent ?? 0) + " of devices"
    return Parcel(
      "POST", "\(releases)\(percentEncoded(version))/deploys/", ["Authorization": "Bearer \(destination.secret)"],
      json: [
        "environment": .string(environment), "name": .string(name), "dateStarted": at, "dateFinished": at,
        "projects": [.string(project)],
      ])
  }
}
