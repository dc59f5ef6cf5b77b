/// Counts by the words of a closed vocabulary.
struct WordCounts<Word: Numbered>: Mergeable {
  private var counts = [Int](repeating: 0, count: Word.allCases.count)

  init() {}

  /// - Parameter all: as many as there are words, by their numbers.
  init(_ all: [Int]) { counts = all }
  var all: [Int] { counts }

  subscript(word: Word) -> Int {
    get { counts[word.number] }
    set { counts[word.number] = newValue }
  }

  mutating func add(_ other: Self, times: Int) {
    for index in counts.indices { counts[index] += times * other.counts[index] }
  }
}

/// Words with small numbers, for counting.
protocol Numbered: CaseIterable {
  /// From 0, each once.
  var number: Int { get }
}

extension PushState: Numbered {
  var number: Int {
    switch self {
    case .delivered: 0
    case .late: 1
    case .coalesced: 2
    case .pending: 3
    case .lost: 4
    case .unreached: 5
    }
  }
}

extension PushArrival: Numbered {
  var number: Int {
    switch self {
    case .background: 0
    case .atLaunch: 1
    case .inUse: 2
    }
  }
}
