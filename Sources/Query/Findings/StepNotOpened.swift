import Console
import Lifecycle
import Statistics

extension FindingRule {
  /// A rollout step that is registered, and of whose devices none was offered the release while others were.
  static let stepNotOpened = FindingRule(.stepNotOpened) { evidence in
    evidence.counting.targets.compactMap { target in
      let buckets = evidence.sums { cell in
        evidence.channel(cell.channel) == target.channel ? cell.bucket : nil
      }
      return opened(buckets, target).flatMap { step in
        let (below, above) = (
          JudgedShare(step.below.touched, of: step.below.eligible, level: evidence.level),
          JudgedShare(step.above.touched, of: step.above.eligible, level: evidence.level)
        )
        guard above.of >= Diagnosis.fewest, below.of >= Diagnosis.fewest, above.isBelow(0.2), below.isAbove(0.5) else {
          return nil
        }
        let command = evidence.filtered("reach").argument(target.label).option("channel", target.channel)
        return found(
          .stepNotOpened, .problem, ["channel": target.channel, "release": target.label], devices: above.of,
          "the step of \(named(target.label)) from \(step.from)% to \(step.to)% did not open: of its devices \(above.words) saw the release, of those before it \(below.words)",
          causes: [
            "the step was registered here, and never set on the update server",
            "the server counts buckets otherwise than devices report them",
          ], check: "compare the percentage on the update server with ",
          with: ShellCommand("uptake", "release", "show").argument(target.label),
          above.evidence("devices of the step that saw the release", command),
          below.evidence("devices before the step that did", command))
      }
    }
  }

  private typealias Step = (from: Int, to: Int, below: FleetCounts, above: FleetCounts)

  /// The last step that opened long enough ago, and what is before it.
  private static func opened(_ buckets: [(key: UInt8, counts: FleetCounts)], _ target: FleetCounting.Target) -> Step? {
    let percents = target.start.rollout.map { Int($0.percent) }
    let steps = zip(percents, percents.dropFirst()).filter { $0 < $1 && $0 > 0 }.reversed()
    for (from, to) in steps {
      var step: Step = (from, to, FleetCounts(), FleetCounts())
      for (bucket, counts) in buckets {
        if Int(bucket) < from { step.below.add(counts) } else if Int(bucket) < to { step.above.add(counts) }
      }
      if step.above.eligible > 0 { return step }
    }
    return nil
  }
}
