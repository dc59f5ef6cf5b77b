/// What rates count of one device: the mature among its accepted pushes.
struct DevicePushRates {
  private(set) var (total, credits) = (0, 0)
  /// Those that name a release.
  private(set) var named = 0
  private(set) var (coalesced, unreached, lost, delivered) = (0, 0, 0, 0)
  /// By how many came before; delivered, and all.
  private(set) var arrived: InlineArray<5, Int> = .init(repeating: 0)
  private(set) var of: InlineArray<5, Int> = .init(repeating: 0)

  init() {}

  /// - Parameter row: of the classes by how many came before.
  mutating func add(_ state: PushState, row: Int, isNamed: Bool, isCredited: Bool) {
    total += 1
    if isNamed { named += 1 }
    if isCredited { credits += 1 }
    of[row] += 1
    switch state {
    case .delivered:
      delivered += 1
      arrived[row] += 1
    case .coalesced: coalesced += 1
    case .unreached: unreached += 1
    case .lost: lost += 1
    case .late, .pending: break
    }
  }
}

// MARK: in a summary

extension DevicePushRates {
  static let storedCount = 17
  /// The order is frozen, files that hold them are in the world.
  var stored: [Int64] {
    ([total, credits, coalesced, unreached, lost, delivered] + arrived.indices.map { arrived[$0] }
      + of.indices.map { of[$0] } + [named]).map(Int64.init)
  }

  /// - Parameter stored: as many as `stored` gives.
  init(stored: some Collection<Int64>) {
    let numbers = stored.map { Int($0) }
    (total, credits, coalesced) = (numbers[0], numbers[1], numbers[2])
    (unreached, lost, delivered) = (numbers[3], numbers[4], numbers[5])
    for row in arrived.indices { (arrived[row], of[row]) = (numbers[6 + row], numbers[11 + row]) }
    named = numbers[16]
  }
}
