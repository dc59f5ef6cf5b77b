import Lifecycle

/// Shows devices that changed as they are folded, and as they are now.
extension ShardRoom {
  /// Once the journeys are unpacked and before what waits is put into them.
  mutating func showFolded(_ shard: Int, _ reader: ShardReader) {
    guard let span = reader.need.changes, let (outlines, seen) = folded else { return }
    var found = seen
    for index in reader.journeys.indices where journeys[index].isRead {
      let place = reader.journeyPlace(shard, index)
      found.note(
        shards[index], facts.journeys[place], ChangeSpan.Place(release: place.release, channel: place.channel))
    }
    let devices = found.devices
    let picked = outlines.picking(devices)
    var folded = ShardPage(RunSource(reader, of: part(picked, outlines)))
    folded.devices = picked
    for index in reader.journeys.indices where journeys[index].isRead {
      add(shards[index], reader.journeyPlace(shard, index), of: devices, span, to: &folded)
    }
    folded.source.begin(shard, nil)
    folded.describeDevices(reader.profiles)
    page.changes = ShardChanges(folded, of: devices)
  }

  /// Once the page is what is known by now.
  func showNow(_ shard: Int, _ reader: ShardReader) {
    guard let changes = page.changes, let span = reader.need.changes else { return }
    let picked = page.devices.picking(changes.devices)
    var now = ShardPage(RunSource(reader, of: part(picked, page.devices)))
    now.devices = picked
    for journeys in page.journeys {
      let place = JourneyPlace(shard: shard, release: journeys.release, channel: journeys.channel)
      add(journeys.shard, place, of: changes.devices, span, to: &now)
    }
    now.source.begin(shard, facts.devices[reader.devicePlace(shard)])
    now.describeDevices(reader.profiles)
    changes.now = now
  }

  private func part(_ picked: DeviceOutlines, _ outlines: DeviceOutlines) -> RunSource.Part {
    RunSource.Part(
      devices: Set(picked.devices), isFew: picked.devices.count * RunSource.fewest < outlines.devices.count)
  }

  private func add(
    _ shard: JourneyShard, _ place: JourneyPlace, of devices: [UInt64], _ span: ChangeSpan, to page: inout ShardPage
  ) {
    guard span.releases.contains(place.release) else { return }
    let picked = shard.picking(devices)
    if picked.devices.isEmpty { return }
    page.journeys.append(Snapshot.Journeys(release: place.release, channel: place.channel, shard: picked))
  }
}
