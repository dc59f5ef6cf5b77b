internal import Query
internal import Statistics

// What has happened to nobody, or to all, has no limits of its own method: how many were looked at limits it to one side. Tables,
// pictures and sentences say these limits, as the command line does.

extension Estimate {
  fileprivate func limited(atMost: Double?, atLeast: Double? = nil) -> Estimate {
    guard lo == nil, hi == nil else { return self }
    var copy = self
    if value == 0 { copy.hi = atMost }
    if value == 1, reason == .allEvents { copy.lo = atLeast }
    return copy
  }
}

extension Adoption.Age {
  var told: Estimate { share.limited(atMost: atMost, atLeast: atLeast) }
  var baselineTold: Estimate? { baseline?.limited(atMost: baselineAtMost, atLeast: baselineAtLeast) }
}

extension Compare.Age {
  var told: Estimate { share.limited(atMost: atMost, atLeast: atLeast) }
  var baselineTold: Estimate { baseline.limited(atMost: baselineAtMost, atLeast: baselineAtLeast) }
}

extension Mechanisms.Share {
  var told: Estimate { share.limited(atMost: atMost, atLeast: atLeast) }
}

extension Rate {
  var told: Estimate { share.limited(atMost: atMost) }
}
