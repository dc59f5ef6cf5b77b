/// Merges facts into a shard of devices without its settled runs: outlines grow, and the contacts become recent runs.
struct RecentMerge {
  /// Everything but the settled runs themselves.
  static let parts = DeviceOutlines.parts(.buckets).union(DeviceShard.besidePieces).union([DeviceOutlines.lastContacts])

  let limit: RecentLimit

  /// All parts that may have changed; nil where the shard is to be written whole.
  ///
  /// - Parameters:
  ///   - facts: in order of device.
  ///   - stored: at least `parts`, and checked.
  ///   - runs: of devices that facts are about, which spans alone do not tell.
  func merge(
    _ facts: ArraySlice<DeviceFact>, into stored: PackedParts,
    _ runs: (DeviceOutlines, ArraySlice<DeviceFact>) throws(StoreError) -> DeviceShard?
  ) throws(StoreError) -> FoldedShard.Parts? {
    let recent = RunLists(stored, as: .recent)
    let settled = stored.view(RunLists.Parts.settled.counts).sum
    guard limit.allows(recent: recent.runs.count + facts.count, settled: settled) else { return nil }
    var outlines = DeviceOutlines()
    guard outlines.unpack(stored, .buckets) else { return nil }
    let known = outlines.devices
    guard try grow(&outlines, facts, runs) else { return nil }
    return outlines.packedShard + recent.merging(facts, of: known).packed(as: .recent)
      + [(RunLists.Parts.settled.counts, Self.counts(stored, of: known, into: outlines.devices))]
  }

  /// False where runs were needed and cannot be read in pieces.
  private func grow(
    _ outlines: inout DeviceOutlines, _ facts: ArraySlice<DeviceFact>,
    _ runs: (DeviceOutlines, ArraySlice<DeviceFact>) throws(StoreError) -> DeviceShard?
  ) throws(StoreError) -> Bool {
    let growth = OutlineGrowth(&outlines, facts, .buckets)
    guard let known = growth.needsRuns ? try runs(outlines, growth.rest[...]) : DeviceShard() else { return false }
    for touched in [growth.grown, known.merging(growth.rest[...]).completeOutlines] where !touched.devices.isEmpty {
      outlines = outlines.splicing(touched, .buckets)
    }
    return true
  }

  /// How many settled runs each device has: those that are new to the shard have none.
  private static func counts(_ stored: PackedParts, of known: [UInt64], into devices: [UInt64]) -> [UInt8] {
    let old = stored.view(RunLists.Parts.settled.counts)
    var place = 0
    return PackedColumn.pack(
      devices.map { device in
        guard place < known.count, known[place] == device else { return 0 }
        place += 1
        return old[place - 1]
      })
  }
}

extension DeviceOutlines {
  /// The parts of a shard but its runs.
  fileprivate var packedShard: FoldedShard.Parts {
    typealias Part = DeviceShard.Part
    return [
      (Part.devices.rawValue, PackedColumn.pack(devices, JourneyShard.ordered)),
      (Part.profileCounts.rawValue, PackedColumn.pack(lengthsOf: profileOffsets)),
      (Part.profiles.rawValue, PackedColumn.pack(profiles)),
      (Part.profileTimes.rawValue, PackedColumn.pack(profileTimes)),
      (Part.buckets.rawValue, PackedColumn.pack(buckets)),
    ] + packed
  }
}
