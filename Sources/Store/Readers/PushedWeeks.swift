import Lifecycle

/// Who was sent pushes about a release, and which of the weeks before them have a say in what became of those.
///
/// A push says something of a later one for a day: it was sent again, or is one of those that day. Receipts without an id
/// go to pushes before them. So only an id says something however long before: a device's clock was wrong, or the id was
/// used before. That counts for pushes about other releases too, since receipts without an id go to whichever has none.
///
/// Not looked for: a wake-up that goes on for more than a week, without a pause that would end it.
struct PushedWeeks {
  /// Ascending, each once.
  let devices: [UInt64]
  /// Under which pushes were sent in the weeks that were read whole; ascending.
  private var ids: [UInt64]

  /// - Parameter weeks: those that were read whole; the first push about the release is in one of them.
  init(_ weeks: [WakeWeek], about release: Int64) {
    var devices: [UInt64] = []
    for device in weeks.flatMap({ $0.pushedDevices(about: release) }).sorted() where devices.last != device {
      devices.append(device)
    }
    self.devices = devices
    ids = weeks.flatMap(\.sentIDs).sorted()
  }

  /// What of a week tells whether it has a say.
  static let parts: Set<Int64> = [WakeShard.Part.kindWhats.rawValue, WakeShard.Part.pushHashes.rawValue]

  func affects(_ week: WakeWeek) -> Bool { week.names(anyOf: ids) }

  /// Takes in a week that was read whole after all.
  mutating func note(_ week: WakeWeek) { ids = (ids + week.sentIDs).sorted() }
}
