/// An index for each number that was met: of many possible ones, few are.
struct MetNumbers {
  /// In the order in which they were met.
  private(set) var all: [(number: Int, index: Int)] = []
  /// By number, where there are few: -1 for those that were not met.
  private var few: [Int32]
  private var many: [Int: Int] = [:]
  private static let fewest = 1024

  /// - Parameter count: one more than the greatest number.
  init(count: Int) { few = count <= Self.fewest ? Array(repeating: -1, count: count) : [] }

  @inline(__always)
  func index(of number: Int) -> Int? {
    if few.isEmpty { return many[number] }
    let index = few[number]
    return index < 0 ? nil : Int(index)
  }

  mutating func add(_ number: Int, at index: Int) {
    if few.isEmpty { many[number] = index } else { few[number] = Int32(truncatingIfNeeded: index) }
    all.append((number: number, index: index))
  }
}
