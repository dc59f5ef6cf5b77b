internal import Lifecycle

/// How the newest releases stand, for `/metrics`.
struct VerdictFigures: Sendable {
  /// Channels, and apps, of which there are figures.
  let most: Int
  /// In order of the app.
  private(set) var standings: [VerdictChore.Done] = []
  /// Channels beyond the first so many, and apps.
  private(set) var leftOut = 0
  let lastBackup: Timestamp?

  init(most: Int, lastBackup: Timestamp? = nil) { (self.most, self.lastBackup) = (most, lastBackup) }

  /// Channels for which there is room.
  var room: Int { max(0, most - standings.reduce(0) { $0 + $1.releases.count }) }

  mutating func add(_ standing: VerdictChore.Done) {
    leftOut += standing.leftOut
    if !standing.releases.isEmpty || standing.leftOut == 0, standings.count < most { standings.append(standing) }
  }

  /// With apps that were not judged again yet, as they stood before, as far as there is room.
  func with(_ before: Self?, of apps: some Sequence<String>) -> Self {
    var all = self
    for standing in before?.standings ?? [] where apps.contains(standing.app) && standing.releases.count <= all.room {
      all.add(standing)
    }
    return all
  }
}
