internal import Query
internal import Statistics

extension Verdict {
  /// What the verdict says of rollbacks, or of crashes, within a day of the launch; nil where nobody launched it.
  func harm(_ subject: Subject) -> Reason? {
    reasons.first { $0.subject == subject && $0.value?.value != nil }
  }
}

extension Verdict.Reason {
  func tile(_ title: String, _ when: HTML = "that launched it so far, within a day") -> Tile? {
    guard let value, let events, let devices else { return nil }
    return Tile(
      title, value.valueHTML(.share), value.intervalHTML(.share),
      "\(Number.count(events)) of \(Number.count(devices)) \(onPlatform)\(when)",
      limit.map { "limit \(Number.share($0))" } ?? "no limit set")
  }

  /// Where it is about the devices of one platform: theirs is no share of all.
  private var onPlatform: HTML {
    guard let platform else { return "" }
    return platform.isEmpty ? "without a platform " : "on \(Name(platform).html(atMost: 24)) "
  }
}
