import Lifecycle

/// What the numbers in the event table stand for, as far as the fold needs to know.
struct Origins {
  struct Origin {
    var app: Int64
    var channel: Int64
    var platform: Int64
    var profile: Int64
    var network: Network
  }
  fileprivate struct Packed {
    var app, channel, platform, profile: UInt32
    var network: Network
  }
  /// By number of the context, which are given one after another.
  private var origins: [Packed?] = []

  /// Of no context, for where no event waits; a number that was never given is told all the same.
  init(noneOf connection: borrowing Connection) throws(StoreError) {
    let newest = try connection.integer("SELECT coalesce(max(id), 0) FROM context")
    guard newest < 1 << 30 else {
      throw StoreError(
        .corrupt, path: connection.path, reason: "context \(newest) has a number that was never given")
    }
  }

  init(_ connection: borrowing Connection) throws(StoreError) {
    let pages = try VocabularyPages(connection)
    try takePages(
      try pages.column(.context, ContextPage.places), try pages.column(.context, ContextPage.profile),
      try pages.column(.context, ContextPage.network), connection.path)
    for row in try ContextPage.read(connection, after: Int64(max(0, origins.count - 1)), upTo: .max) {
      // They are given one after another: a damaged one would ask for all memory.
      guard row.id < origins.count + 1 << 20 else {
        throw StoreError(
          .corrupt, path: connection.path, reason: "context \(row.id) has a number that was never given")
      }
      let context = Int(row.id)
      if context >= origins.count { origins += repeatElement(nil, count: context + 1 - origins.count) }
      origins[context] = Packed(row.place, row.profile, row.network)
    }
  }

  private mutating func takePages(
    _ places: [VocabularyPages.Column], _ profiles: [VocabularyPages.Column], _ networks: [VocabularyPages.Column],
    _ path: String
  ) throws(StoreError) {
    guard !places.isEmpty else { return }
    let damage = StoreError(.corrupt, path: path, reason: "table summary, app 0: is no page of contexts")
    guard places.count == profiles.count, places.count == networks.count else { throw damage }
    origins = [nil]
    for page in places.indices {
      var (numbers, profile, network) = ([UInt32](), [UInt32](), [UInt32]())
      guard let (list, end) = ContextPage.places(places[page].bytes),
        BitColumn.unpack(places[page].bytes[end...], into: &numbers),
        BitColumn.unpack(profiles[page].bytes[...], into: &profile), profile.count == numbers.count,
        BitColumn.unpack(networks[page].bytes[...], into: &network), network.count == numbers.count
      else { throw damage }
      for index in numbers.indices {
        let place = Int(numbers[index])
        origins.append(
          place == 0 || place > list.count
            ? nil
            : Packed(list[place - 1], profile[index], Network(rawValue: UInt8(truncatingIfNeeded: network[index]))))
      }
    }
  }

  func origin(_ context: Int32) -> Origin? {
    guard context >= 0, context < origins.count else { return nil }
    return origins[Int(context)].map {
      Origin(
        app: Int64($0.app), channel: Int64($0.channel), platform: Int64($0.platform), profile: Int64($0.profile),
        network: $0.network)
    }
  }
}

extension Origins.Packed {
  fileprivate init(_ place: ContextPage.Place, _ profile: UInt32, _ network: Network) {
    self.init(app: place.app, channel: place.channel, platform: place.platform, profile: profile, network: network)
  }
}

/// The alphabetical place of each name.
struct NameRanks {
  private var ranks: [Int64: Int] = [:]

  init(_ connection: borrowing Connection) throws(StoreError) {
    let names = try connection.prepare("SELECT id FROM name ORDER BY text").rows { $0.integer(0) }
    for (rank, id) in names.enumerated() { ranks[id] = rank }
  }

  func rank(_ name: Int64) -> Int { ranks[name] ?? .max }
}
