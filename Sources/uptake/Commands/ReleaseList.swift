internal import Answers
internal import Console
internal import Lifecycle
internal import Query
internal import Store

extension Command {
  static let releaseList = Command(
    "list", purpose: "List publications: releases, channels, times, rollout steps",
    options: [.database, .app, .newest] + Option.answer,
    examples: [
      .init("All of an app", "uptake release list --app com.example.demo"),
      .init("The newest of many", "uptake release list --newest 10"),
    ],
    exits: [.databaseUnusable], seeAlso: ["releases", "release show"]
  ) { invocation in
    let snapshot = try invocation.snapshot()
    try snapshot.vocabulary.requireKnown(app: invocation.text(.app))
    let publications = snapshot.publications().filter {
      invocation.text(.app) == nil || $0.app == invocation.text(.app)
    }
    try invocation.show(publicationsPresentation(publications, newest: invocation.integer(.newest)))
    return .done
  }
}
