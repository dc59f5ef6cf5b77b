public import Console
internal import Lifecycle
internal import Query

/// Adoption curves since publication, a row for each point, named as the rows of the answers are.
public enum RolloutCurves {
  public static let columns: [Parquet.Column] = [
    .init("app", .text), .init("release", .text), .init("channel", .text), .init("at", .instant),
    .init("age", .integer), .init("atRisk", .integer),
    .init("adoption", .number), .init("adoption_lo", .number), .init("adoption_hi", .number),
  ]

  public static func values(_ rollouts: [Rollout]) -> [Parquet.Values] {
    let rows = rollouts.flatMap { rollout -> [Row] in
      guard let curve = rollout.standing.sinceRelease?.curve, let start = rollout.standing.facts.publishedAt else {
        return []
      }
      return curve.points.map { Row(rollout: rollout, start: start, point: $0) }
    }
    // 0 added: nothing has no sign.
    return [
      .text(rows.map(\.rollout.app)), .text(rows.map(\.rollout.release)), .text(rows.map(\.rollout.channel)),
      .instant(rows.map { ($0.start + .seconds($0.point.seconds)).rawValue }),
      .integer(rows.map { Int64($0.point.seconds) }), .integer(rows.map { Int64($0.point.atRisk) }),
      .number(rows.map { $0.point.value + 0 }), .number(rows.map(\.point.lo)), .number(rows.map(\.point.hi)),
    ]
  }

  private struct Row {
    var rollout: Rollout
    var start: Timestamp
    var point: CurvePoint
  }
}
