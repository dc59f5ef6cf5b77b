/// A label that is a version number, such as `2.1.0`, `v12` or `2.1.0+345`.
///
/// Hashes, dates with dashes and words are none: of these nobody can tell which is the older one.
public struct ReleaseNumber: Sendable {
  /// Missing parts are 0: `2.1` is `2.1.0`.
  let parts: [Int]
  /// Whether it is a plain count, such as `12`, which cannot be held against `2.1.0`.
  let isCount: Bool

  public init?(_ label: ReleaseLabel) {
    let text = label.rawValue.hasPrefix("v") ? label.rawValue.dropFirst() : label.rawValue[...]
    let halves = text.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
    let dotted = halves[0].split(separator: ".", omittingEmptySubsequences: false)
    guard dotted.count <= 4, let numbers = Self.numbers(dotted), let build = Self.numbers(halves.dropFirst()) else {
      return nil
    }
    parts = numbers + Array(repeating: 0, count: 4 - numbers.count) + build
    isCount = numbers.count == 1
  }

  /// Whether it surely stands for an older release than another number of the same kind.
  public func isLower(than other: Self) -> Bool {
    isCount == other.isCount && parts.lexicographicallyPrecedes(other.parts)
  }

  private static func numbers(_ words: some Sequence<Substring>) -> [Int]? {
    var numbers: [Int] = []
    for word in words {
      guard word.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(word) else { return nil }
      numbers.append(number)
    }
    return numbers
  }
}
