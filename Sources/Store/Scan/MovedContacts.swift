import Lifecycle

/// What is told of the devices of a shard that were heard of since a summary, where that is moved on to a later cutoff.
public struct MovedContacts {
  /// Of those that are not shown, as they are there as they were, the ones that spoke beyond the cutoff by more than clocks are wrong.
  public internal(set) var beyond: [Beyond] = []
  /// The newest contact of all.
  public internal(set) var newest: Int64?
  /// When a run of contacts ends that goes on beyond the cutoff; nil where none of the last ones does.
  public internal(set) var straddling: Int64?

  public struct Beyond {
    /// Its number, and that of the platform.
    public var channel: Int64
    public var platform: Int
    /// The last contact that the summary knows, and the last one by now.
    public var before: Int64
    public var now: Int64
  }
}

extension HeardDevices {
  /// - Parameters:
  ///   - some: in order, and so are all others.
  ///   - changed: those that are shown.
  func beyond(of some: [UInt64], _ contacts: HeardContacts, without changed: [UInt64]) -> [MovedContacts.Beyond] {
    let limit = span.cutOff + HeardSpan.tolerance.rawValue
    var (found, place, contacts, shown) = ([MovedContacts.Beyond](), 0, contacts, SortedJoin(changed))
    for device in some where shown.index(of: device) == nil {
      contacts.goOn(to: device)
      place = stored.devices.firstPlace(from: place) { $0 >= device }
      let last = contacts.last
      let before = max(stored.lastContact(place) ?? .min, last.known ?? .min)
      guard case let now = max(before, last.since ?? .min), now > limit else { continue }
      found.append(
        MovedContacts.Beyond(
          channel: stored.channels[place], platform: profiles.platform(stored.profiles(place)), before: before,
          now: now))
    }
    return found
  }
}
