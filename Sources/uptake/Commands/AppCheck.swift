internal import Console
internal import Preflight

extension Command {
  static let app = Command(
    "app", group: "OPERATIONS", purpose: "Check what an app says of itself", seeAlso: ["push check"],
    subcommands: [.appCheck])

  static let appCheck = Command(
    "check", purpose: "Check that an app may work in the background",
    discussion: """
      Holds an Info.plist, a file of entitlements, an AndroidManifest.xml, or all of these below a project's folder against \
      what the systems ask of an app that is woken by silent pushes and periodic tasks: background modes, task identifiers, \
      permissions, services. In a folder it also looks for task identifiers and periods in the source. Property lists and \
      manifests are read as XML; binary ones are refused, with the command that turns them into XML. Exit status 3 where \
      a rule fails.
      """,
    arguments: [.init("PATH", completion: "files", help: "A file, or the folder of a project")],
    options: Option.answer,
    examples: [
      .init("A whole project", "uptake app check ."),
      .init("One file", "uptake app check ios/Runner/Info.plist"),
      .init("Only what is to be done", "uptake app check . --format tsv | grep -w fail"),
    ], exits: [.gateNotMet], seeAlso: ["push check", "wakeups"]
  ) { invocation in
    let path = invocation.arguments[0]
    let (files, isWhole) = try AppFolder(path, read: invocation.host.readFile).files()
    if !isWhole {
      try invocation.note(["\(path) holds more than \(AppFolder.limit) files: only the first of them were looked at"])
    }
    guard files.contains(where: { $0.kind != .source }) else {
      throw Failure(
        "nothing_to_check", "there is no Info.plist, no entitlements and no AndroidManifest.xml in \(path)",
        hints: ["name one of them, or the folder of a project"], exit: .usage)
    }
    return try invocation.show(rulings(on: files), schema: "uptake.app-check/1")
  }
}
