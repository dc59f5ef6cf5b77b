/// Events of one stretch in a shard.
struct SortedPart {
  var stretch: SortedStretch
  var shard: Int
  var bytes: [UInt8]
}

/// Which of the events that wait are looked at, by their numbers.
enum EventNumbers {
  case all
  case upTo(Int64)
  case after(Int64)
  case within(after: Int64, upTo: Int64)

  func holds(_ number: Int64) -> Bool {
    switch self {
    case .all: true
    case .upTo(let last): number <= last
    case .after(let last): number > last
    case .within(let first, let last): number > first && number <= last
    }
  }
}
