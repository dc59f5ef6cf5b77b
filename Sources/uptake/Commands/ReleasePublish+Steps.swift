internal import Console
internal import Lifecycle

/// Reads `10%@0h,50%@24h,100%@48h`: shares of devices, each from a time after the publication, an instant or now on.
func rolloutSteps(_ text: String, from published: Timestamp, now: Timestamp) throws(Failure) -> [RolloutStep] {
  var steps: [RolloutStep] = []
  for part in text.split(separator: ",", omittingEmptySubsequences: false) {
    let pieces = part.split(separator: "@", maxSplits: 1).map { $0.trimming(" ") }
    guard pieces.count == 2, pieces[0].hasSuffix("%"), let percent = Double(pieces[0].dropLast()),
      (0...100).contains(percent),
      let at = pieces[1] == "now" ? now : instant(pieces[1], from: published), at.isPermitted
    else {
      throw Failure(
        "bad_rollout", "\"\(part)\" is not a rollout step", place: "--rollout",
        hints: [
          "a step is a share and a time after publication, such as 10%@0h, before the year 10000; commas separate steps",
          "to let more devices have a release that is out, from now on: uptake release widen RELEASE PERCENT",
        ],
        exit: .usage)
    }
    steps.append(RolloutStep(at: at, percent: percent))
  }
  return steps.sorted { $0.at < $1.at }
}

private func instant(_ text: String, from published: Timestamp) -> Timestamp? {
  if let duration = try? Console.Duration(text) { return published + Milliseconds(rawValue: duration.rawValue) }
  return try? Timestamp(rfc3339: text)
}

extension Substring {
  fileprivate func trimming(_ character: Character) -> String {
    var rest = self
    while rest.first == character { rest.removeFirst() }
    while rest.last == character { rest.removeLast() }
    return String(rest)
  }
}
