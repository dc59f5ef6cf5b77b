import Lifecycle

/// What first times tell beyond what was known before them.
extension JourneyShard {
  /// The first of them counts as a claim.
  static let claims: [Milestone] = [.applied, .confirmed, .running]
  static let allClaims = claims + [.rolledBack]

  /// Whether a device had applied or confirmed the release before an instant. Then it says nothing new by naming it in a check.
  func isNamed(_ index: Int, before first: Int64) -> Bool {
    min(self.first(.applied, index), self.first(.confirmed, index)).rawValue >> 3 < first >> 3
  }

  /// When the last thing happened that was new; nil where nothing did.
  var lastNews: Int64? {
    var last: Int64?
    func note(_ at: Int64) { last = max(last ?? at, at) }
    for milestone in Milestone.allCases {
      for (index, first) in columns[milestone.rawValue].enumerated() where first != .max {
        if first >> 3 > last ?? .min, milestone != .running || !isNamed(index, before: first) { note(first >> 3) }
      }
    }
    for bucket in buckets where bucket != .max { note(bucket >> 7) }
    return last
  }

  /// Whether any device claimed the release before an instant.
  func isClaimed(before instant: Int64) -> Bool {
    Self.claims.contains { columns[$0.rawValue].contains { $0 < instant << 3 } }
  }
}
