import Lifecycle
import Store

/// What another cutoff changes of a `WakeTally`: wake-ups that may still be running, each with what its device has beside it
/// in its group. Exact for every cutoff after the newest fact. Tested in `SummaryTests`.
struct OpenWakeUps {
  var facts = OpenFacts()
  private(set) var devices: [Labels: [Device]] = [:]

  /// One device in one group.
  struct Device {
    var sums: WakeCounts.Sums
    var young: [Young]

    fileprivate var numbers: [Int64] { sums.stored + young.flatMap(\.stored) }
  }

  struct Young {
    var wakeUp: WakeUp
    /// Since the refresh before.
    var interval: Milliseconds?
  }

  mutating func add(_ device: Device, _ group: Labels) { devices[group, default: []].append(device) }

  mutating func add(_ other: OpenWakeUps) {
    facts.add(other.facts)
    devices.merge(other.devices, uniquingKeysWith: +)
  }
}

extension OpenWakeUps.Device {
  /// Counts anew what was counted of the device.
  func end(at cutOff: Timestamp, _ counts: inout WakeCounts) {
    let over = young.filter { $0.wakeUp.isOver(at: cutOff) }
    if over.isEmpty { return }
    var (before, now) = (WakeCounts(), sums)
    if sums.wakeUps > 0 { before.add(sums) }
    counts.subtract(before)
    for one in over {
      now.add(one.wakeUp, one.interval)
      counts.count(one.wakeUp, one.interval)
    }
    counts.add(now)
  }
}

// MARK: in a summary

/// What the numbers of these columns mean, all about no release; the trigger of a group stands in the place of the channel.
/// Frozen: files that hold them are in the world.
extension SummaryPart {
  static let wakeUps: Int64 = 200
  static let wakeIntervals: Int64 = 201
  static let wakePushHours: Int64 = 203
  /// By device: its sums, how many wake-ups are young; and these.
  static let openWakeUps: Int64 = 205
  /// Of all groups: the newest fact, and the channels of all facts.
  static let wakeNewest: Int64 = 208
  static let wakeChannels: Int64 = 209

  static let ofWakeUps: Range<Int64> = 200..<220
}

extension OpenWakeUps {
  func parts(_ groups: [(key: Labels, value: WakeCounts)], _ vocabulary: Vocabulary) -> [SummaryPart] {
    let all = Set(groups.map(\.key)).union(devices.keys)
    let known = Dictionary(uniqueKeysWithValues: groups.map { ($0.key, $0.value) })
    let channels = facts.channels.map(vocabulary.name).sorted()
    return [SummaryPart(0, Group(channel: ""), SummaryPart.wakeNewest, [facts.newest?.rawValue ?? .min / 2])]
      + SummaryPart.parts(names: channels, SummaryPart.wakeChannels)
      + all.sorted().flatMap { parts(known[$0] ?? WakeCounts(), devices[$0] ?? [], $0) }
  }

  private func parts(_ counts: WakeCounts, _ devices: [Device], _ labels: Labels) -> [SummaryPart] {
    // What columns hold must not depend on which thread met which device.
    let devices = devices.sorted { $0.numbers.lexicographicallyPrecedes($1.numbers) }
    let (lengths, hours) = (counts.intervals.lengths, counts.pushHours.byPushes.sorted { $0.key < $1.key })
    let columns: [(Int64, [Int64])] = [
      (SummaryPart.wakeUps, counts.stored), (SummaryPart.wakeIntervals, lengths.map(\.seconds)),
      (SummaryPart.wakeIntervals + 1, lengths.map { Int64($0.count) }),
      (SummaryPart.wakePushHours, hours.map { Int64($0.key) }),
      (SummaryPart.wakePushHours + 1, hours.map { Int64($0.value) }),
      (SummaryPart.openWakeUps, devices.flatMap(\.sums.stored)),
      (SummaryPart.openWakeUps + 1, devices.map { Int64($0.young.count) }),
      (SummaryPart.openWakeUps + 2, devices.flatMap { $0.young.flatMap(\.stored) }),
    ]
    return columns.map { SummaryPart(0, labels.place, $0, $1) }
  }
}

extension Labels {
  fileprivate var place: Group {
    Group(
      channel: parts[WakeUps.Grouping.trigger.rawValue] ?? "", platform: parts[WakeUps.Grouping.platform.rawValue])
  }

  fileprivate init(triggerAt place: Group) {
    self.init([
      WakeUps.Grouping.trigger.rawValue: place.channel ?? "", WakeUps.Grouping.platform.rawValue: place.platform ?? "",
    ])
  }
}

/// What a summary keeps of all wake-ups.
struct KeptWakeUps {
  let newestFact: Timestamp
  let channels: Set<String>
  private(set) var groups: [(labels: Labels, counts: WakeCounts, open: [OpenWakeUps.Device])] = []

  /// nil where the columns are not as `OpenWakeUps` makes them.
  init?(_ parts: [SummaryPart]) {
    guard let newest = parts.first(where: { $0.number == SummaryPart.wakeNewest })?.values.first else { return nil }
    newestFact = Timestamp(rawValue: newest)
    channels = Set(SummaryPart.names(parts, SummaryPart.wakeChannels))
    let own = parts.filter { $0.number < SummaryPart.wakeNewest }
    for (place, parts) in Dictionary(grouping: own, by: \.group) {
      let columns = Dictionary(uniqueKeysWithValues: parts.map { ($0.number, $0.values) })
      func column(_ number: Int64) -> [Int64] { columns[number] ?? [] }
      func counts(_ number: Int64) -> [(Int64, Int)] {
        zip(column(number), column(number + 1)).map { ($0, Int($1)) }
      }
      let trigger = Trigger(rawValue: place.channel ?? "") ?? .unknown
      guard
        let sums = WakeCounts(
          stored: column(SummaryPart.wakeUps), IntervalCounts(lengths: counts(SummaryPart.wakeIntervals)),
          HourCounts(counts(SummaryPart.wakePushHours))),
        let open = OpenWakeUps.Device.list((0..<3).map { column(SummaryPart.openWakeUps + $0) }, trigger)
      else { return nil }
      groups.append((Labels(triggerAt: place), sums, open))
    }
  }
}

extension OpenWakeUps.Device {
  /// - Parameter columns: as `OpenWakeUps` makes them.
  fileprivate static func list(_ columns: [[Int64]], _ trigger: Trigger) -> [Self]? {
    let (sums, young) = (WakeCounts.Sums.storedCount, OpenWakeUps.Young.storedCount)
    guard columns[0].count == columns[1].count * sums, columns[1].allSatisfy({ $0 >= 0 }),
      columns[1].reduce(0, { $0 &+ $1 &* Int64(young) }) == columns[2].count
    else { return nil }
    var rest = columns[2][...]
    return columns[1].enumerated().map { place, count in
      let own = rest.prefix(Int(count) * young)
      rest = rest.dropFirst(own.count)
      return Self(
        sums: WakeCounts.Sums(stored: columns[0][(place * sums)...].prefix(sums)),
        young: stride(from: own.startIndex, to: own.endIndex, by: young).map {
          OpenWakeUps.Young(stored: own[$0...].prefix(young), trigger)
        })
    }
  }
}

extension OpenWakeUps.Young {
  fileprivate static let storedCount = 6
  fileprivate var stored: [Int64] {
    [
      wakeUp.start.rawValue, wakeUp.isFinished ? 1 : 0, Int64(wakeUp.outcome?.code ?? 0),
      wakeUp.duration?.rawValue ?? -1, Int64(wakeUp.network.rawValue), interval?.rawValue ?? -1,
    ]
  }

  /// - Parameter stored: as many as `stored` gives.
  fileprivate init(stored: ArraySlice<Int64>, _ trigger: Trigger) {
    let numbers = Array(stored)
    wakeUp = WakeUp(
      trigger, Timestamp(rawValue: numbers[0]), isFinished: numbers[1] == 1,
      Outcome(code: UInt8(truncatingIfNeeded: numbers[2])),
      numbers[3] < 0 ? nil : Milliseconds(rawValue: numbers[3]),
      Network(rawValue: UInt8(truncatingIfNeeded: numbers[4])))
    interval = numbers[5] < 0 ? nil : Milliseconds(rawValue: numbers[5])
  }
}
