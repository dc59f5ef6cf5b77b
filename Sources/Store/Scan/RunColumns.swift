import Lifecycle

/// The contact runs of a shard's devices as columns, read where they lie: of each device in order of key and start.
public struct RunColumns: Sendable {
  /// What a run says; few kinds occur in a shard.
  public struct Kind: Equatable, Sendable {
    public let channel: Int64
    public let claim: Claim
    /// 0 where the claim names none.
    public let release: Int64
  }

  /// The device that the first runs are of: others are not held before it.
  @usableFromInline private(set) var first = 0
  /// Decides between what a device said at one instant.
  public private(set) var order = NameOrder.none
  /// Where each device's runs begin; one more at the end.
  public private(set) var offsets: [Int] = [0]
  public private(set) var starts = PackedView(values: [])
  public private(set) var ends = Ends(starts: PackedView(values: []), lengths: PackedView(values: []))
  public private(set) var kinds: [Kind] = []
  /// By run: an index in `kinds`.
  public private(set) var kindIndexes = PackedView(values: [])

  public struct Ends: Sendable {
    @usableFromInline let starts, lengths: PackedView
    @inlinable @inline(__always)
    public subscript(run: Int) -> Int64 { starts[run] + lengths[run] }
  }

  /// With the devices, so that their number is held against that of the runs.
  static let parts = RunLists.Parts.settled.all.union(RunLists.Parts.recent.all).union([
    DeviceShard.Part.devices.rawValue
  ])

  public init() {}
  init(in order: NameOrder) { self.order = order }

  /// The runs of a device.
  @inlinable
  public func range(_ index: Int) -> Range<Int> { offsets[index - first]..<offsets[index - first + 1] }
  @inlinable
  public func kind(_ run: Int) -> Kind { kinds[Int(kindIndexes[run])] }

  mutating func take(_ parts: PackedParts) {
    let recent = RunLists(parts, as: .recent)
    guard recent.runs.isEmpty else {
      self = RunColumns(RunLists(parts, as: .settled).union(recent), order)
      return
    }
    let settled = RunLists.Parts.settled
    parts.read(settled.counts) { PackedColumn.unpack(lengths: $0, into: &offsets) }
    starts = parts.view(settled.starts)
    ends = Ends(starts: starts, lengths: parts.view(settled.lengths))
    kindIndexes = parts.view(settled.keyPlaces)
    let keys = parts.read(settled.keys) { PackedColumn.unpack($0) }
    kinds = keys.map { Kind(key: UInt64(bitPattern: $0)) }
  }

  /// - Parameter facts: what is not folded, in order of device.
  init(_ parts: PackedParts, _ facts: ArraySlice<DeviceFact>, _ order: NameOrder) {
    let stored = RunLists(parts, as: .settled).union(RunLists(parts, as: .recent))
    let devices = parts.read(DeviceShard.Part.devices.rawValue) { PackedColumn.unpack($0) }.map(JourneyShard.hash)
    self.init(stored.merging(facts, of: devices), order)
  }

  /// Of some devices alone, each of which is stored or is one that the facts are about.
  ///
  /// - Parameters:
  ///   - facts: about these.
  ///   - some: in order.
  init(_ parts: PackedParts, _ facts: ArraySlice<DeviceFact>, of some: [UInt64], _ order: NameOrder) {
    let devices = parts.read(DeviceShard.Part.devices.rawValue) { PackedColumn.unpack($0) }.map(JourneyShard.hash)
    var join = SortedJoin(devices)
    let places = some.compactMap { join.index(of: $0) }
    self.init(RunLists(parts, at: places).merging(facts, of: places.map { devices[$0] }), order)
  }

  init(_ shard: DeviceShard, _ order: NameOrder) {
    self.init(RunLists(offsets: shard.runOffsets, runs: shard.runs), order)
  }

  /// Of one device alone.
  init(_ runs: [ContactRun], of index: Int, _ order: NameOrder) {
    self.init(RunLists(offsets: [0, runs.count], runs: runs), order)
    first = index
  }

  private init(_ lists: RunLists, _ order: NameOrder) {
    self.order = order
    offsets = lists.offsets
    let runs = lists.runs
    starts = PackedView(count: runs.count) { runs[$0].start.rawValue }
    ends = Ends(starts: starts, lengths: PackedView(count: runs.count) { (runs[$0].end - runs[$0].start).rawValue })
    var numbering = Numbering<RunLists.RunKey>()
    kindIndexes = PackedView(count: runs.count) { Int64(numbering.number(RunLists.RunKey(key: runs[$0].key))) }
    kinds = numbering.keys.map { Kind(key: $0.key) }
  }
}

extension RunColumns.Kind {
  init(key: UInt64) {
    let run = ContactRun(key: key, start: Timestamp(rawValue: 0), end: Timestamp(rawValue: 0))
    self.init(channel: run.channel, claim: run.claim, release: run.release)
  }
}

extension RunColumns {
  /// Whether a device had a contact after an instant that lies a day or more before the cutoff.
  ///
  /// Within a run no silence is longer than a day, so a run that goes on past the instant has a contact in that day.
  public func spoke(_ index: Int, after instant: Int64, until cutOff: Int64) -> Bool {
    range(index).contains { starts[$0] <= cutOff && ends[$0] > instant }
  }

  /// A device's newest contact up to the cutoff; nil where there is none.
  public func newest(_ index: Int, until cutOff: Int64) -> Int64? {
    range(index).lazy.filter { starts[$0] <= cutOff }.map { min(ends[$0], cutOff) }.max()
  }

  /// Whether a device said in a channel that it runs another release, at or after `since` and before an instant. As
  /// exact as contact runs are: to the day.
  public func ranAnother(
    _ index: Int, than release: Int64, in channel: Int64, since: Int64?, before instant: Int64
  ) -> Bool {
    range(index).contains { run in
      let said = kind(run)
      return said.claim != .silent && said.release != release && said.channel == channel && starts[run] < instant
        && since.map { ends[run] >= $0 } ?? true
    }
  }

  /// Whether a device is known to have run something in a channel before an instant, and it was never this. As exact as contact runs are: to
  /// the day.
  public func isNew(_ release: Int64, to index: Int, in channel: Int64, at instant: Int64) -> Bool {
    let before = range(index).filter { run in
      kind(run).claim != .silent && kind(run).channel == channel && starts[run] < instant
    }
    return !before.isEmpty && before.allSatisfy { kind($0).release != release }
  }

  /// What a device said last by an instant that it runs in a channel; nil where it said nothing of it.
  public func running(_ index: Int, in channel: Int64, at instant: Int64) -> Int64? {
    let said = range(index).filter { run in
      kind(run).claim != .silent && kind(run).channel == channel && starts[run] <= instant
    }
    return said.max { min(ends[$0], instant) < min(ends[$1], instant) }.map { kind($0).release }
  }
}
