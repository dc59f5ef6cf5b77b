import Store

/// Devices that left a channel and came back, which are judged by their contact runs.
extension RiskRules {
  /// What a device's journey on a release was in one of its stays.
  func returned(
    _ shard: JourneyShard, _ release: Int64, _ page: borrowing ShardPage, _ runs: RunColumns, _ index: Int,
    _ stay: Stay, isStaged: Bool
  ) -> JourneyRow? {
    let whole = shard.devices.index(ofDevice: page.devices.devices[index]).map {
      JourneyTable(shard, until: cutOff).row($0, isStaged: isStaged)
    }
    return whole.map {
      ReturnedStay(stay: stay, release: release, runs: runs, device: index, cutOff: cutOff).journey($0)
    }
  }

  /// With the first update to a newer release, where that ends the time at risk.
  func judge(
    _ device: DeviceRow, _ stay: Stay, _ journey: JourneyRow?, _ page: borrowing ShardPage, _ runs: RunColumns,
    _ index: Int, isBornOn: Bool
  ) -> Judgement {
    var found = judge(device, stay, journey, isBornOn: isBornOn)
    guard looksAtNewer, found.exclusion == nil else { return found }
    var first: Update?
    for other in page.journeys where other.channel == stay.channel && isNewer(other.release) {
      guard let row = returned(other.shard, other.release, page, runs, index, stay, isStaged: false),
        let update = newerUpdate(row, stay)
      else { continue }
      if first.map({ update < $0 }) ?? true { first = update }
    }
    if let first { note(newer: first, &found) }
    return found
  }
}
