/// Numbers of events run on from 1, so that those that are not there are known to be missing.
extension Salvage {
  /// - Parameter folded: the greatest number that a mark of the damaged file names; marks are not taken over.
  mutating func tellMissing(_ connection: borrowing Connection, folded: Int64) throws(StoreError) {
    let here = try connection.integer("SELECT count(*) FROM event")
    let stored = max(try Self.lastPlausible(connection), folded)
    let taken = try connection.integer("SELECT sum(events) FROM removed WHERE state > 0")
    guard here + taken < stored else { return }
    let out = taken > 0 ? " and \(taken) had been taken out" : ""
    let isForgotten = try connection.integer("SELECT EXISTS (SELECT 1 FROM forgotten)") != 0
    notes.append(
      "of events 1 to \(stored), and perhaps later ones, \(here) are here\(out): "
        + (isForgotten
          ? "of the others some had been forgotten, the rest is lost" : "at least \(stored - here - taken) are lost"))
  }

  /// One number far from all others is damaged.
  private static func lastPlausible(_ connection: borrowing Connection) throws(StoreError) -> Int64 {
    try connection.integer(
      """
      SELECT seq FROM event e WHERE seq BETWEEN 1 AND 10000
        OR EXISTS (SELECT 1 FROM event WHERE seq BETWEEN e.seq - 10000 AND e.seq - 1) ORDER BY seq DESC LIMIT 1
      """)
  }
}

extension PageRecord {
  /// The number of an event up to which something was done; 0 where it is no such mark. A damaged one may be anything.
  var eventMark: Int64 {
    guard values.count == 2, case .text(let name) = values[0], ["folded", "newest"].contains(name),
      case .integer(let number) = values[1], (0...1_000_000_000_000).contains(number)
    else { return 0 }
    return number
  }
}
