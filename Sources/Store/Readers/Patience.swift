/// How long a reading may take, for readers that others wait behind: set around a reading, looked at within it.
public enum Patience {
  @TaskLocal public static var end: ContinuousClock.Instant?

  static var isOver: Bool { end.map { ContinuousClock.now >= $0 } ?? false }

  /// Between the shards of a walk.
  static func check(_ path: String) throws(StoreError) {
    if isOver { throw StoreError(.tookTooLong, path: path) }
  }
}
