import Store

/// The releases that count as newer than another on a channel, in order of number.
///
/// Of thousands of releases each has a list of all that came after it: where platforms get the same, it is in memory once.
struct NewerThere {
  /// On some platform.
  let somewhere: [Int64]
  /// By the number of a platform.
  let byPlatform: [[Int64]]

  init(than target: Int64, _ timeline: Timeline, channel: String, _ platforms: [String?]) {
    let lists = platforms.map { timeline.newer(than: target, channel: channel, platform: $0).sorted() }
    let somewhere = Set(lists.joined()).sorted()
    byPlatform = lists.map { $0 == somewhere ? somewhere : $0 }
    self.somewhere = somewhere
  }
}

extension [Int64] {
  /// Of numbers in ascending order.
  func includes(_ number: Int64) -> Bool {
    let place = firstPlace { $0 >= number }
    return place < count && self[place] == number
  }
}
