import Store

/// Sorts the devices of page after page into the groups asked for; adds up with others in any order.
protocol PageCounting {
  associatedtype Tally: Summable
  var newest: NewestContact { get set }
  var tallies: GroupTallies<Tally> { get set }

  mutating func add(_ page: inout DevicePage, _ contacts: () throws -> ContactTimes) throws
}

extension PageCounting {
  var groups: [(key: Labels, value: Tally)] { tallies.groups }

  /// What all devices together say.
  ///
  /// - Parameter start: of nothing.
  static func counted(_ choice: PageChoice, _ snapshot: borrowing Snapshot, start: () -> Self) throws -> Self {
    let countings = try snapshot.eachPage(choice, start: start) { counting, page, contacts in
      try counting.add(&page, contacts)
    }
    return countings.reduce(into: start()) { $0.add($1) }
  }

  mutating func add(_ other: Self) {
    if let contact = other.newest.at { newest.note(contact) }
    tallies.add(other.tallies)
  }
}
