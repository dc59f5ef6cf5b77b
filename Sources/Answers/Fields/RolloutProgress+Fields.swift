internal import Console
internal import Query

let rolloutPercentMeaning =
  "How far the rollout has come; null before the publication, where nobody registered it, and where platforms differ"
let rolloutByPlatformMeaning = "How far it has come on each platform where they differ; else empty"

extension RolloutProgress {
  static let fields: [Field<Part>] = [
    Field("platform", \.platform, "The platform; null for all that have no publication of their own"),
    Field("percent", \.percent, "How far the rollout has come there; null before the publication"),
  ]
}

extension Cell {
  /// Programs get no number where platforms differ.
  static func rollout(_ percent: Double?, _ apart: [RolloutProgress.Part]) -> Cell {
    percent.map { .share($0 / 100) } ?? apart.words.map { .term("", words: $0) } ?? .text("")
  }
}
