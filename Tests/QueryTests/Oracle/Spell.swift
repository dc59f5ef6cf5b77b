import Lifecycle
@testable import Store

@testable import Query

/// A stretch of a device's life in one channel, with the contacts that bound it.
struct Spell {
  struct Contacts {
    var start: Timestamp
    var end: Timestamp
  }
  var channel: Int64
  /// The first contact in the channel.
  var start: Timestamp
  /// The first contact in the next channel; nil for the last spell.
  var end: Timestamp?
  /// Contact runs of the spell in order of time, a day or less of silence within each.
  var contacts: [Contacts]

  func holds(_ instant: Timestamp) -> Bool { instant >= start && end.map { instant < $0 } ?? true }
  func own(_ instant: Timestamp?) -> Timestamp? { instant.flatMap { holds($0) ? $0 : nil } }
  var lastContact: Timestamp { contacts.last?.end ?? start }
}

extension Spell {
  /// The spells of a device, from its contact runs up to a cutoff. Order of the runs does not matter.
  static func spells(_ runs: [ContactRun], _ order: NameOrder) -> [Spell] {
    var stretches = perChannel(runs, order)
    var spells: [Spell] = []
    var next = 0
    while next < stretches.count {
      let stretch = stretches[next]
      next += 1
      guard let current = spells.last, current.channel != stretch.channel else {
        extend(&spells, stretch)
        continue
      }
      // A visit to another channel inside a stretch: the rest of that stretch follows the visit.
      if current.lastContact > stretch.contacts.end {
        insert(
          (current.channel, Contacts(start: stretch.contacts.end, end: current.lastContact)), in: &stretches, from: next
        )
      }
      close(&spells[spells.count - 1], at: stretch.contacts.start)
      spells.append(Spell(channel: stretch.channel, start: stretch.contacts.start, contacts: [stretch.contacts]))
    }
    return spells
  }

  private typealias Stretch = (channel: Int64, contacts: Contacts)

  /// Runs of a channel whatever they claim, joined where a day or less lies between; in order of start.
  private static func perChannel(_ runs: [ContactRun], _ order: NameOrder) -> [Stretch] {
    var stretches: [Stretch] = []
    for run in runs.sorted(by: { ($0.channel, $0.start) < ($1.channel, $1.start) }) {
      if let last = stretches.last, last.channel == run.channel,
        run.start - last.contacts.end <= ContactRun.longestSilence
      {
        stretches[stretches.count - 1].contacts.end = max(last.contacts.end, run.end)
      } else {
        stretches.append((run.channel, Contacts(start: run.start, end: run.end)))
      }
    }
    return stretches.sorted { one, other in
      let (left, right) = ((one.contacts.start, one.contacts.end), (other.contacts.start, other.contacts.end))
      return left == right ? order.channel(one.channel, precedes: other.channel) : left < right
    }
  }

  private static func extend(_ spells: inout [Spell], _ stretch: Stretch) {
    guard !spells.isEmpty else {
      spells.append(Spell(channel: stretch.channel, start: stretch.contacts.start, contacts: [stretch.contacts]))
      return
    }
    spells[spells.count - 1].contacts.append(stretch.contacts)
  }

  private static func close(_ spell: inout Spell, at instant: Timestamp) {
    spell.end = instant
    spell.contacts = spell.contacts.filter { $0.start < instant }.map {
      Contacts(start: $0.start, end: min($0.end, instant))
    }
  }

  private static func insert(_ stretch: Stretch, in stretches: inout [Stretch], from next: Int) {
    let place = stretches[next...].firstIndex { $0.contacts.start > stretch.contacts.start } ?? stretches.endIndex
    stretches.insert(stretch, at: place)
  }
}
