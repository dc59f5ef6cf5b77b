internal import Lifecycle
internal import Query
internal import Report
internal import Store

/// Adoption of parts of the devices.
extension Asking {
  /// - Parameter across: by channel at an age; the release's pages share these.
  func segments(
    _ snapshot: borrowing Snapshot, _ everywhere: ReleaseScope, _ chosen: ReleaseScope, _ facts: ReleaseFacts,
    _ name: String, _ across: inout [Int64: Asked<Counted<Adoption>>]
  ) throws -> [Asked<Counted<Adoption>>] {
    let byChannel = try across[facts.segmentAge] ?? segment(snapshot, everywhere, .channel, facts, name)
    across[facts.segmentAge] = byChannel
    return [byChannel] + (try [.platform, .appVersion].map { try segment(snapshot, chosen, $0, facts, name) })
  }

  private func segment(
    _ snapshot: borrowing Snapshot, _ chosen: ReleaseScope, _ grouping: Grouping, _ facts: ReleaseFacts, _ name: String
  ) throws -> Asked<Counted<Adoption>> {
    try planned(snapshot, chosen, by: grouping, facts, name).value(ledger, snapshot)
  }

  /// By all else that devices say of themselves; each has to be counted apart.
  func toldApart(
    _ snapshot: borrowing Snapshot, _ chosen: ReleaseScope, _ facts: ReleaseFacts, _ name: String
  ) throws -> [Planned<Asked<Counted<Adoption>>>] {
    try snapshot.vocabulary.fieldsToldApart.map { try planned(snapshot, chosen, by: .slice($0), facts, name) }
  }

  private func planned(
    _ snapshot: borrowing Snapshot, _ chosen: ReleaseScope, by grouping: Grouping, _ facts: ReleaseFacts, _ name: String
  ) throws -> Planned<Asked<Counted<Adoption>>> {
    var chosen = chosen
    chosen.selection.by = [grouping]
    return try planned(
      snapshot, chosen, "\(name)-by-\(grouping.rawValue)", ages: [facts.segmentAge], points: 2, baseline: .none)
  }
}

extension Vocabulary {
  /// Of more values a picture shows only the largest few, and a scan pays for all.
  private static let mostValues = 200
  /// Of one page.
  private static let mostTags = 3

  /// What devices say of themselves in more than one way, beside their app's version; of tags the first by name. Not their
  /// networks: who is seldom heard of was heard of on one alone, and updates late for that.
  fileprivate var fieldsToldApart: [ProfileField] {
    let table = ProfileTable(self)
    let tags = table.tags.prefix(Self.mostTags)
    return (ProfileField.named.filter { $0 != .appVersion && $0 != .bucket && $0 != .network } + tags).filter { field in
      (3...Self.mostValues + 1).contains(table.column(field).names.count)
    }
  }
}
