/// Labels beside a vertical line, moved apart until none covers another.
enum Labels {
  /// Names that are so far apart from left to right, in thousandths, cover none of another.
  private static let width = 250

  /// Heights likewise, where the names do not all stand at one x: only those that stand near each other are moved apart.
  static func apart(_ wishes: [Double], by room: Double, in range: ClosedRange<Double>, at places: [Int]) -> [Double] {
    var (heights, group) = (wishes, [Int]())
    func settle() {
      let names = group.sorted()
      for (index, height) in zip(names, apart(names.map { wishes[$0] }, by: room, in: range)) {
        heights[index] = height
      }
    }
    for index in places.indices.sorted(by: { (places[$0], $0) < (places[$1], $1) }) {
      if let last = group.last, places[index] - places[last] > width {
        settle()
        group = []
      }
      group.append(index)
    }
    settle()
    return heights
  }

  /// - Parameters: wished heights in pixels, the room between two, and the range to stay in.
  /// - Returns: heights in the order given. Where the range is too small for all, they go on below it.
  static func apart(_ wishes: [Double], by room: Double, in range: ClosedRange<Double>) -> [Double] {
    let order = wishes.indices.sorted { (wishes[$0], $0) < (wishes[$1], $1) }
    var blocks: [Block] = []
    for index in order {
      blocks.append(Block(members: [index], centre: wishes[index]))
      while blocks.count > 1, overlaps(blocks[blocks.count - 2], blocks[blocks.count - 1], room) {
        let last = blocks.removeLast()
        blocks[blocks.count - 1] = merged(blocks[blocks.count - 1], last, wishes, room, range)
      }
      blocks[blocks.count - 1].keep(in: range, room)
    }
    return places(settled(blocks, wishes, room, range), wishes.count, room)
  }

  private struct Block {
    var members: [Int]
    var centre: Double
    func half(_ room: Double) -> Double { room * Double(members.count - 1) / 2 }
    mutating func keep(in range: ClosedRange<Double>, _ room: Double) {
      centre = max(min(centre, range.upperBound - half(room)), range.lowerBound + half(room))
    }
  }

  private static func overlaps(_ above: Block, _ below: Block, _ room: Double) -> Bool {
    above.centre + above.half(room) + room > below.centre - below.half(room) + 1e-9
  }

  private static func merged(
    _ above: Block, _ below: Block, _ wishes: [Double], _ room: Double, _ range: ClosedRange<Double>
  ) -> Block {
    let members = above.members + below.members
    var block = Block(members: members, centre: members.map { wishes[$0] }.reduce(0, +) / Double(members.count))
    block.keep(in: range, room)
    return block
  }

  /// Keeping a block in the range can push it into the one above it: merge again until nothing moves.
  private static func settled(
    _ blocks: [Block], _ wishes: [Double], _ room: Double, _ range: ClosedRange<Double>
  ) -> [Block] {
    var blocks = blocks
    while let index = blocks.indices.dropFirst().first(where: { overlaps(blocks[$0 - 1], blocks[$0], room) }) {
      blocks[index - 1] = merged(blocks[index - 1], blocks[index], wishes, room, range)
      blocks.remove(at: index)
    }
    return blocks
  }

  private static func places(_ blocks: [Block], _ count: Int, _ room: Double) -> [Double] {
    var places = [Double](repeating: 0, count: count)
    for block in blocks {
      for (offset, member) in block.members.enumerated() {
        places[member] = block.centre - block.half(room) + Double(offset) * room
      }
    }
    return places
  }
}
