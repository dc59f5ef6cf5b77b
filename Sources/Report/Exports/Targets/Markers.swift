internal import Console
internal import Lifecycle
internal import Query

/// What every vendor's "something was deployed" has in common.
private struct Marker {
  var version: String
  var environment: String
  var message: String
  /// Whether no further step is to come: of what nobody registered none is known.
  var isComplete: Bool
  var fact: RolloutFact

  init(_ fact: RolloutFact, _ destination: Destination) {
    version = line(destination.releaseName(fact), atMost: 200)
    environment = line(destination.environment(fact), atMost: 64)
    message = fact.kind == .verdict || fact.kind == .finding ? "\(fact.title)\n\(fact.text)" : fact.text
    isComplete = fact.rolloutByPlatform == nil && fact.percent ?? 100 >= 100
    self.fact = fact
  }
}

/// One template for those who only want a mark that something was deployed.
extension ExportTarget {
  private static func marker(
    _ name: String, _ title: String, place: String, secretVariable: String, kinds: Set<RolloutFact.Kind>,
    needs: [Need] = [], mayHave: [Need] = [], _ parcel: @escaping @Sendable (Marker, Destination) -> Parcel?
  ) -> ExportTarget {
    ExportTarget(
      name: name, title: title, kinds: kinds, defaultPlace: place, secretVariable: secretVariable, needs: needs,
      mayHave: mayHave + [.environment, .releaseName]
    ) { fact, destination, _ in parcel(Marker(fact, destination), destination) }
  }

  public static let bugsnag = marker(
    "bugsnag", "Bugsnag builds", place: "https://build.bugsnag.com", secretVariable: "BUGSNAG_API_KEY",
    kinds: [.published]
  ) { marker, destination in
    Parcel(
      "POST", destination.place + "/",
      json: [
        "apiKey": .string(destination.secret), "appVersion": .string(marker.version),
        "releaseStage": .string(marker.environment), "builderName": "uptake", "autoAssignRelease": false,
        "metadata": [
          "app": .string(marker.fact.app), "channel": .string(marker.fact.channel),
          "publishedAt": .string(marker.fact.at.rfc3339),
        ],
      ])
  }

  public static let rollbar = marker(
    "rollbar", "Rollbar deploys", place: "https://api.rollbar.com", secretVariable: "ROLLBAR_ACCESS_TOKEN",
    kinds: [.published, .step]
  ) { marker, destination in
    Parcel(
      "POST", "\(destination.place)/api/1/deploy", ["X-Rollbar-Access-Token": destination.secret],
      json: [
        "environment": .string(marker.environment), "revision": .string(marker.version),
        "local_username": "uptake", "comment": .string(marker.message),
        "status": .string(marker.isComplete ? "succeeded" : "started"),
      ])
  }

  public static let honeycomb = marker(
    "honeycomb", "Honeycomb markers", place: "https://api.honeycomb.io", secretVariable: "HONEYCOMB_API_KEY",
    kinds: [.published, .step, .halted, .failuresRising, .verdict, .finding], mayHave: [.dataset]
  ) { marker, destination in
    Parcel(
      "POST", "\(destination.place)/1/markers/\(percentEncoded(destination[.dataset] ?? "__all__"))",
      ["X-Honeycomb-Team": destination.secret],
      json: [
        "start_time": .integer(Int(marker.fact.at.seconds)), "message": .string(marker.message),
        "type": .string("uptake-\(marker.fact.kind.rawValue)"),
      ])
  }

  public static let raygun = marker(
    "raygun", "Raygun deployments", place: "https://api.raygun.com", secretVariable: "RAYGUN_TOKEN",
    kinds: [.published], needs: [.project]
  ) { marker, destination in
    guard let application = destination[.project] else { return nil }
    return Parcel(
      "POST", "\(destination.place)/v3/applications/\(percentEncoded(application))/deployments",
      ["Authorization": "Bearer \(destination.secret)"],
      json: [
        "version": .string(line(marker.version, atMost: 128)), "ownerName": "uptake",
        "comment": .string(marker.message),
        "deployedAt": .string(marker.fact.at.rfc3339),
      ])
  }
}
