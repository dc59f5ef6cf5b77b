/// The same shards without some devices, to the byte as if these had never been; nil where none of them is in it.
extension JourneyShard {
  func removing(_ gone: Set<UInt64>) -> JourneyShard? { removing(where: gone.contains) }

  func removing(where isGone: (UInt64) -> Bool) -> JourneyShard? {
    let kept = devices.indices.filter { !isGone(devices[$0]) }
    guard kept.count < devices.count else { return nil }
    func select(_ column: [Int64], empty: Int64) -> [Int64] {
      let values = column.isEmpty ? [] : kept.map { column[$0] }
      return values.allSatisfy { $0 == empty } ? [] : values
    }
    var rest = JourneyShard()
    rest.devices = kept.map { devices[$0] }
    rest.columns = columns.map { select($0, empty: .max) }
    rest.reasons = select(reasons, empty: 0)
    rest.buckets = select(buckets, empty: .max)
    return rest
  }
}

extension DeviceShard {
  func removing(_ gone: Set<UInt64>) -> DeviceShard? { removing(where: gone.contains) }

  func removing(where isGone: (UInt64) -> Bool) -> DeviceShard? {
    let gone = devices.indices.filter { isGone(devices[$0]) }
    guard !gone.isEmpty else { return nil }
    var (rest, next) = (DeviceShard(), 0)
    for index in gone + [devices.count] {
      rest.append(self, next..<index)
      next = index + 1
    }
    return rest
  }
}

extension WakeShard {
  func removing(_ gone: Set<UInt64>) -> WakeShard? {
    guard devices.contains(where: gone.contains) else { return nil }
    var rest = WakeShard()
    for index in devices.indices where !gone.contains(devices[index]) {
      rest.devices.append(devices[index])
      rest.facts += facts(index)
      rest.offsets.append(rest.facts.count)
    }
    return rest
  }
}

extension TrailShard {
  func removing(_ gone: Set<UInt64>) -> TrailShard? {
    guard devices.contains(where: gone.contains) else { return nil }
    let kept = devices.filter { !gone.contains($0) }
    return TrailShard().merging(
      kept.flatMap { device in blocks(of: device).map { TrailFact(device: device, block: $0) } }[...])
  }
}
