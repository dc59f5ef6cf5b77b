import Lifecycle

/// Round instants to tell a history at: who asks minutes apart is told of the same ones, so that what was counted once can be kept.
///
/// Each step is a multiple of the one before: what lies on a coarse grid lies on all finer ones.
enum ReachGrid {
  private static let shortest: [Milliseconds] =
    [1, 5, 15, 30, 60, 120, 240, 720, 1440].map { .minutes($0) }

  /// The shortest step that needs no more than so many points.
  static func step(over span: Milliseconds, points: Int) -> Milliseconds {
    let least = span.rawValue / Int64(max(points, 1))
    if let step = shortest.first(where: { $0.rawValue >= least }) { return step }
    var step = Milliseconds.days(2)
    while step.rawValue < least { step = Milliseconds(rawValue: 2 * step.rawValue) }
    return step
  }

  /// All multiples of a step after an instant and before another.
  static func instants(_ step: Milliseconds, after first: Timestamp, before last: Timestamp) -> [Timestamp] {
    let begin = first.rawValue.floored(to: step.rawValue) + step.rawValue
    return stride(from: begin, to: last.rawValue, by: Int(step.rawValue)).map(Timestamp.init(rawValue:))
  }
}

extension Int64 {
  fileprivate func floored(to step: Int64) -> Int64 { self - ((self % step) + step) % step }
}
