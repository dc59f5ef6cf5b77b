import Glibc

extension UnseenContacts {
  /// The times of others, and these with their contacts placed.
  ///
  /// Of a contact that an instant follows, the instant lies anywhere in the gap; and since such a device was still without the update at
  /// the contact after it, it lies the later in it the greater the hazard. That is taken as constant here.
  public func placed(among others: PolledTimes) -> PolledTimes {
    if times.isEmpty { return others }
    let first = placed(among: others, hazard: 0)
    return placed(among: others, hazard: first.meanHazard)
  }

  private func placed(among others: PolledTimes, hazard: Double) -> PolledTimes {
    var (all, seen) = (others, Int64(0))
    let gaps = Self.lattice.map { gap(at: $0.gap) }
    for (time, count) in times.sorted(by: { $0.key < $1.key }) {
      for (place, one) in Self.lattice.enumerated() {
        // Of the devices numbered from `seen` on, those that are `place` modulo the places.
        let last = (Int64(Self.places - 1 - place), Int64(Self.places))
        let part = (seen + count + last.0) / last.1 - (seen + last.0) / last.1
        if part > 0 { all.add(time, since: time.age(gaps[place], at: one.part, hazard), times: part) }
      }
      seen += count
    }
    return all
  }

  /// So many parts of the gaps and of what is within a gap are tried, in turn.
  private static let places = 32
  /// Even in both, however many of them are taken (a lattice of rank 1).
  private static let lattice = (0..<places).map { place in
    (gap: place * 5 % places, part: (Double(place * 19 % places) + 0.5) / Double(places))
  }

  /// The gap that so many of the places lie below.
  private func gap(at place: Int) -> Tick {
    let total = gaps.values.reduce(0, +)
    var seen: Int64 = 0
    for (gap, count) in gaps.sorted(by: { $0.key < $1.key }) {
      seen += count
      if seen * Int64(2 * Self.places) >= total * Int64(2 * place + 1) { return gap }
    }
    return Self.longest
  }
}

extension UnseenContacts.Time {
  /// How long before it the contact was.
  fileprivate func age(_ gap: Tick, at part: Double, _ hazard: Double) -> Tick {
    func within(_ hazard: Double) -> Tick {
      let age = hazard > 0 ? log1p(part * expm1(hazard * Double(gap))) / hazard : part * Double(gap)
      return Tick((age + 0.5).rounded(.down))
    }
    switch next {
    case .update, .contact: return gap
    case .end: return within(hazard)
    case .halt: return within(0)
    }
  }
}

extension PolledTimes {
  fileprivate mutating func add(_ time: UnseenContacts.Time, since age: Tick, times: Int64) {
    let isUpdate = time.next == .update
    let after = max(time.floor, time.before - age)
    add(
      entry: time.entry, after: isUpdate ? min(after, time.before - 1) : after, upTo: isUpdate ? time.before : nil,
      cause: time.cause, times: times)
  }

  /// Updates for each tick without one: as if each had come midway between its bounds.
  fileprivate var meanHazard: Double {
    let open = updates.reduce(0.0) { $0 + Double($1.value) * Double($1.key.upTo - $1.key.after) / 2 }
    let known = watched.reduce(0.0) { $0 - Double($1.value) * Double($1.key) }
    return open + known > 0 ? Double(count) / (open + known) : 0
  }
}
