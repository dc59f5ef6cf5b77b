internal import Console
import Lifecycle
import Store

/// Whether and how the release was published on the channels and platforms looked at.
func publicationWarnings(_ starts: [Group: Timeline.Start], _ chosen: ReleaseScope, isEmpty: Bool) -> [Warning] {
  var warnings: [Warning] = []
  let starts = starts.sorted { $0.key < $1.key }
  let release = chosen.selection.release.rawValue
  if let inferred = starts.first(where: { $0.value.isInferred }) {
    let withdrawal = chosen.target.lastWithdrawal(until: chosen.selection.now)
    warnings.append(
      withdrawal.map { .inferred(release, withdrawnAt: $0.at) }
        ?? Warning(
          Warning.inferredPublication,
          "nobody registered when \(release) was published; \(inferred.value.publishedAt.rfc3339), the first event about it,"
            + " stands in: register it with uptake release publish"))
  }
  if starts.isEmpty, !isEmpty {
    warnings.append(.neverPublished(release, chosen.target.publications))
  }
  let doubtful = Set(
    starts.flatMap { place, _ in
      chosen.timeline.doubtful(
        after: chosen.target.id, channel: place.channel ?? "", platform: place.platform, until: chosen.selection.now
      ).map(\.label.rawValue)
    }
  ).sorted()
  if !doubtful.isEmpty {
    warnings.append(
      Warning(
        "unregistered_release",
        "no publication is registered of \(firstFew(doubtful.map(named))), first heard of after \(release) was published:"
          + " counted as newer, though a device may have kept an old one; register what was published with uptake release publish"
      ))
  }
  for (place, start) in starts {
    for problem in start.contradictions {
      let name = [place.channel, place.platform].compactMap { $0 }.joined(separator: "/")
      warnings.append(
        Warning("rollout_contradiction", "the rollout steps of \(release) on \(name) contradict each other: \(problem)")
      )
    }
  }
  return warnings
}

extension Warning {
  public static let rolloutPaused = "rollout_paused"
}

/// Who waited through a halt waited: of a release that went on afterwards adoption reads low, and nobody was slow.
func pauseWarning(_ tables: RiskTables, of release: ReleaseRecord, until now: Timestamp) -> [Warning] {
  let starts = tables.starts.sorted { $0.key < $1.key }
  let pauses = starts.map { $0.value.pauses(until: now) }.first { !$0.isEmpty } ?? []
  guard !pauses.isEmpty else { return [] }
  let times = firstFew(pauses.map { "from \($0.from.words) to \($0.to.words)" })
  return [
    Warning(
      Warning.rolloutPaused,
      "the rollout of \(named(release.label.rawValue)) stood at 0% \(times): devices that waited through it count as waiting, so"
        + " adoption reads lower, and times longer, than without the halt")
  ]
}

/// Of releases that nobody registered, the instant that stands in for publication, where hardly anything followed it.
func doubtfulWarnings(_ inferred: [String: Timestamp?], _ cutOff: CutOff) -> [Warning] {
  inferred.sorted { $0.key < $1.key }.compactMap { release, first in
    guard let first, case let beginning = cutOff.beginning(at: first), beginning.isDoubtful else { return nil }
    return Warning(
      Warning.doubtfulPublication,
      "\(first.rfc3339), the first event about \(named(release)), is hardly when it was published: of \(beginning.all) events of the"
        + " app only \(beginning.soon) happened within 28 days after it; a wrong clock or a made-up event moves every time and"
        + " count here: register the release with uptake release publish")
  }
}

extension Timeline.Start {
  /// What is wrong with the rollout steps, in words.
  var contradictions: [String] {
    var found: [String] = []
    // A step to 0 % is a halt, and contradicts nothing.
    for (one, next) in zip(rollout, rollout.dropFirst()) where next.percent < one.percent && next.percent != 0 {
      found.append("\(percent(next.percent)) at \(next.at.rfc3339) after \(percent(one.percent))")
    }
    if let first = rollout.first, first.at < publishedAt {
      found.append("the first step at \(first.at.rfc3339) lies before the publication")
    }
    for step in rollout where !(0...100).contains(step.percent) {
      found.append("\(percent(step.percent)) is not between 0 % and 100 %")
    }
    return found
  }

  private func percent(_ value: Double) -> String {
    value == value.rounded() ? "\(Int(value)) %" : "\(value) %"
  }
}
