internal import Console
internal import Lifecycle
internal import Query

extension Panel {
  static let quality = Panel(
    name: "quality", scope: .release, options: [.title],
    purpose: "Warnings, devices left out and why, and remarks of the counting",
    reads: { context in context.release.map { [Exhibit($0.standing.speed)] } ?? [] }
  ) { context in
    guard let release = context.release else { return .empty }
    let answers =
      release.standing.speed.warnings + release.standing.adoption.warnings + release.reach.warnings
      + release.funnel.warnings
    var seen: Set<String> = []
    // What came after the cutoff the panel above all others says.
    let above = Warning.aboutCutOff.union(["published_after_data"])
    let warnings = answers.filter { !above.contains($0.code) && seen.insert($0.message).inserted }
    let list: HTML =
      warnings.isEmpty
      ? note("Nothing about these data asks for caution.")
      : "<ul>\(warnings.map { "<li>\($0.sentence)</li>" as HTML })</ul>"
    return context.section("Data quality", list, leftOut(release), attested(release))
  }

  /// Figures count all devices; who has some that are vouched for can ask for these alone.
  private static func attested(_ release: ReleaseAnswers) -> HTML {
    release.attested == 0
      ? .empty : note("Attested devices: \(grouped(release.attested)); --only-attested counts these alone.")
  }

  private static func leftOut(_ release: ReleaseAnswers) -> HTML {
    guard let counts = release.own?.counts else { return .empty }
    let excluded = counts.excluded.sorted { $0.key < $1.key }.map { reason, count -> [HTML] in
      ["\(Exclusion(rawValue: reason)?.words ?? reason)", Number.count(count), "left out"]
    }
    let remarks = counts.remarks.sorted { $0.key < $1.key }.map { remark, count -> [HTML] in
      ["\(Remark(rawValue: remark)?.words ?? remark)", Number.count(count), "counted in"]
    }
    guard !excluded.isEmpty || !remarks.isEmpty else { return note("No device was left out.") }
    return DataTable(
      caption: "Devices without time at risk, and what else was noticed",
      columns: [.init("Reason"), .init("Devices"), .init("They are", isText: true)], rows: excluded + remarks
    ).html
  }
}

extension Exclusion {
  var words: String {
    switch self {
    case .bornOn: "ran it, or a newer one, when first heard of after publication"
    case .firstSeenAtUpdate: "first heard of at the update itself"
    case .skewExcluded: "says it updated before publication"
    case .beforeEligibility: "updated before its rollout step"
    case .neverReachable: "silent longer than the reach window all the time"
    case .notEligible: "could not have it in time: no rollout step let it, or first heard of after the release’s turn"
    case .emulator: "emulator"
    }
  }
}

extension Remark {
  var words: String {
    switch self {
    case .skewClamped: "updates just before publication, within the tolerance of clocks"
    case .future: "contacts after the cutoff were ignored"
    case .impliedByCheck: "update known only because the device ran the release later"
    case .fromFirstOffer: "clock starts at the first offer: nobody knows the rollout bucket"
    }
  }
}
