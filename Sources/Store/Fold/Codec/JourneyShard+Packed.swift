/// The parts of a journey shard in the `journey` table: 0 devices, 1… milestones by their number, 100 reasons, 101 buckets.
extension JourneyShard {
  static let devicesPart: Int64 = 0
  static let reasonsPart: Int64 = 100
  static let bucketsPart: Int64 = 101

  var packed: [(part: Int64, bytes: [UInt8])] {
    var parts = [(part: Self.devicesPart, bytes: PackedColumn.pack(devices, Self.ordered))]
    for milestone in Milestone.allCases {
      if let column = column(milestone) { parts.append((Int64(milestone.rawValue), PackedColumn.pack(column))) }
    }
    if !reasons.isEmpty { parts.append((Self.reasonsPart, PackedColumn.pack(reasons) { $0 == 0 ? .max : $0 })) }
    if !buckets.isEmpty { parts.append((Self.bucketsPart, PackedColumn.pack(buckets))) }
    return parts
  }

  mutating func unpack(part: Int64, _ bytes: UnsafeRawBufferPointer) {
    switch part {
    case Self.devicesPart: PackedColumn.unpack(bytes, into: &devices, Self.hash)
    case Self.reasonsPart: PackedColumn.unpack(bytes, into: &reasons) { $0 == .max ? 0 : $0 }
    case Self.bucketsPart: PackedColumn.unpack(bytes, into: &buckets)
    default:
      guard let milestone = Milestone(rawValue: Int(part)) else { return }
      PackedColumn.unpack(bytes, into: &columns[milestone.rawValue])
    }
  }

  /// Of some devices those that are in it: the others are not laid out.
  ///
  /// - Parameters:
  ///   - parts: checked.
  ///   - some: in order.
  init(_ parts: PackedParts, of some: [UInt64]) {
    self.init()
    let all = parts.view(Self.devicesPart)
    var (places, place) = ([Int](), 0)
    for device in some {
      place = all.firstPlace(from: place) { Self.hash($0) >= device }
      if place < all.count, Self.hash(all[place]) == device { places.append(place) }
    }
    if places.isEmpty { return }
    parts.each { part, _ in
      let column = parts.view(part)
      let picked = places.map { column[$0] }
      PackedColumn.pack(picked).withUnsafeBytes { unpack(part: part, $0) }
    }
  }

  /// Hashes as signed numbers in the same order; one value of 2⁶⁴ would mean "absent", and is folded onto its neighbour.
  static func ordered(_ device: UInt64) -> Int64 { min(Int64(bitPattern: device ^ (1 << 63)), .max - 1) }
  static func hash(_ ordered: Int64) -> UInt64 { UInt64(bitPattern: ordered) ^ (1 << 63) }
}
