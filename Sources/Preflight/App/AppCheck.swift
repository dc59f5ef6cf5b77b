/// What every rule says of an app's files. A file that cannot be read is a ruling, too.
public func rulings(on files: [AppFile]) -> [Ruling] {
  let facts = SourceFacts(files)
  let own = files.flatMap { file -> [Ruling] in
    do throws(FileProblem) { return try rulings(file, facts) } catch { return [unread(file, error)] }
  }
  return own + SourceRules.all.flatMap { $0.rulings(facts) } + unsaid(files)
}

private func rulings(_ file: AppFile, _ facts: SourceFacts) throws(FileProblem) -> [Ruling] {
  switch file.kind {
  case .infoPlist:
    let plist = InfoPlist(path: file.path, values: try PropertyList(file), tasksInSource: facts.tasks)
    return plist.isOfPhoneApp ? InfoPlistRules.all.flatMap { $0.rulings(plist) } : [other(file, "no phone app's list")]
  case .entitlements:
    let entitlements = Entitlements(path: file.path, values: try PropertyList(file))
    return EntitlementRules.all.flatMap { $0.rulings(entitlements) }
  case .androidManifest:
    let manifest = try AndroidManifest(file)
    return manifest.application == nil
      ? [other(file, "a library's manifest, without an application")]
      : AndroidRules.all.flatMap { $0.rulings(manifest) }
  case .source: return []
  }
}

private func unread(_ file: AppFile, _ problem: FileProblem) -> Ruling {
  Ruling(
    rule: "file", verdict: .fail, place: file.path, found: problem.found,
    why: "nothing can be said of a file that cannot be read", fix: problem.fix)
}

private func other(_ file: AppFile, _ found: String) -> Ruling {
  Ruling(
    rule: "file", verdict: .note, place: file.path, found: found, why: "rules are about the app's own files", fix: nil)
}

/// An Info.plist tells nothing of the entitlements.
private func unsaid(_ files: [AppFile]) -> [Ruling] {
  guard files.contains(where: { $0.kind == .infoPlist }), !files.contains(where: { $0.kind == .entitlements }) else {
    return []
  }
  return [
    Ruling(
      rule: "ios-aps-environment", verdict: .note, place: "*.entitlements", found: "not given",
      why: "without it an app gets no token for pushes, and every registration fails",
      fix: "give the project's folder, or check that the file has aps-environment")
  ]
}
