import Lifecycle

extension HeardDevices {
  /// Those of some devices, in order; see `changed`.
  ///
  /// What a device said before may matter where it says the same again within a day, since that is one run of contacts then: of who
  /// said something else in between, or of what the summary did not take for settled.
  func resumed(
    of some: [UInt64], _ contacts: HeardContacts, unsettled: [UInt64], _ claims: StoredClaims
  ) -> [ResumedDevice] {
    guard let since = span.resumesSince else { return [] }
    var (found, place, contacts) = ([ResumedDevice](), 0, contacts)
    var unsettled = SortedJoin(unsettled)
    for device in some {
      contacts.goOn(to: device)
      place = stored.devices.firstPlace(from: place) { $0 >= device }
      let isUnsettled = unsettled.index(of: device) != nil
      guard place < stored.devices.count, stored.devices[place] == device else { continue }
      if let one = resumed(place, contacts, since: since, isSettled: !isUnsettled, claims) { found.append(one) }
    }
    return found
  }

  private func resumed(
    _ place: Int, _ contacts: HeardContacts, since: Int64, isSettled: Bool, _ claims: StoredClaims
  ) -> ResumedDevice? {
    let (device, channel, running) = (stored.devices[place], stored.channels[place], stored.running[place])
    guard ResumedDevice.canRun(running, in: channel), var last = stored.lastContact(place),
      PackedColumns.times.contains(last), last < since, !profiles.nameSeveralPlatforms(stored.profiles(place))
    else { return nil }
    let before = contacts.known(before: since)
    let news = contacts.inOrder.dropFirst(before.count)
    guard contacts.allSatisfy({ isOfOneKind($0, place) }),
      OutlineGrowth.running(after: before, in: channel, from: last, running, applies: { _ in false }) != nil
    else { return nil }
    last = before.last?.at.rawValue ?? last
    let isApart = news.first.map { $0.at.rawValue - last > ContactRun.longestSilence.rawValue } ?? false
    guard isApart || isSettled,
      OutlineGrowth.running(
        after: news, in: channel, from: last, running,
        applies: { isApart || claims.hasNone(of: device, release: $0, channel: channel) }) != nil
    else { return nil }
    return ResumedDevice(device: device, last: last, channel: channel, running: running)
  }

  /// Whether it leaves the device's platform and bucket what they were, and no emulator of it. A journey that names another bucket than the
  /// device did is judged by that one at all instants.
  private func isOfOneKind(_ fact: DeviceFact, _ place: Int) -> Bool {
    (stored.has(profile: Int64(fact.profile), place)
      || !profiles.moves(stored.profiles(place), Int64(fact.profile)))
      && (stored.buckets.count == 0 || fact.namedBucket < 0
        || fact.bucket >= stored.buckets[place] && Int64(fact.namedBucket) == stored.buckets[place] & 127)
  }
}
