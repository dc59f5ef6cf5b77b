import Lifecycle
import Testing

@testable import Store

/// An archive gives back what went in, or is refused: no byte of it may be another.
@Suite struct ArchiveTests {
  let keys = IdentityKeys(device: Array(repeating: 3, count: 16), event: Array(repeating: 4, count: 16))

  /// Any numbers, absent ones, the ends of what there is.
  private func made(_ count: Int, _ seed: UInt64) -> ArchivedEvents {
    var (dice, events) = (Dice(state: seed), ArchivedEvents())
    func any() -> Int64 {
      switch UInt8.random(in: 0..<8, using: &dice) {
      case 0: EventRow.none
      case 1: .max
      case 2: 0
      case 3: -1
      case 4: Int64.random(in: (.min + 1)...(.max), using: &dice)
      default: Int64.random(in: 0..<1000, using: &dice)
      }
    }
    for number in 0..<count {
      let row = EventRow(
        at: 1_709_540_000_000 + Int64(number) * 977, received: any(), device: Int64(bitPattern: dice.next()),
        context: Int64(number % 3), release: any(), stage: 7, trigger: 1, outcome: any(), reason: any(),
        duration: any(),
        identity: 0, push: any(), bytes: any(), from: any(), bucket: any())
      events.sequences.append(Int64(number) * 3 + 5)
      events.rows.append(row)
    }
    for id in 0..<3 as Range<Int64> {
      events.contexts[id] = Context(app: "a\(id)", channel: "", platform: id == 1 ? nil : "ü")
    }
    events.contexts[1]?.emulator = true
    if seed == 2 { events.contexts[2]?.traits = "region=DE\ntag:plan=pro" }
    events.releases[9] = Interner.ReleaseKey(app: "a0", label: "")
    events.names[4] = String(repeating: "x", count: 300)
    return events
  }

  @Test(arguments: [0, 1, 2, 100, 700], 1...3 as ClosedRange<UInt64>)
  func whatGoesInComesOut(_ count: Int, _ seed: UInt64) throws {
    let events = made(count, seed)
    let packed = try Archive.pack(events, keys, before: 77)
    let back = try Archive.unpack(packed, keys, path: "x")
    #expect(back.sequences == events.sequences)
    #expect(back.rows.map(content) == events.rows.map(content))
    #expect(back.contexts == events.contexts && back.releases == events.releases && back.names == events.names)
    #expect(back.origin?.before == 77 && back.origin?.digest == Archive.digest(of: packed))
    #expect(Set(back.rows.map(\.identity)).count == count, "what stands in for identities tells events apart")
    #expect(try Archive.pack(events, keys, before: 77) == packed, "the same events, the same bytes")
  }

  private func content(_ row: EventRow) -> [Int64] {
    var row = row
    row.identity = 0
    // Of an event without a receipt nothing else is lost.
    return [
      row.at, row.received, row.device, row.context, row.release, row.stage, row.trigger, row.outcome, row.reason,
      row.duration, row.push, row.bytes, row.from, row.bucket,
    ]
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>) func anyOtherByteIsRefused(_ seed: UInt64) throws {
    var dice = Dice(state: seed)
    var packed = try Archive.pack(made(50, 1), keys, before: 77)
    if seed % 5 == 0 {
      packed.removeLast(Int.random(in: 1...packed.count, using: &dice))
    } else {
      packed[Int.random(in: packed.indices, using: &dice)] ^= UInt8.random(in: 1...255, using: &dice)
    }
    #expect {
      try Archive.unpack(packed, keys, path: "x")
    } throws: { error in
      guard case .refused(.damagedArchive) = (error as? StoreError)?.kind else { return false }
      return true
    }
  }

  /// Whoever can make up a checksum can do no more than be refused, or say what events may say.
  @Test(arguments: 1...40 as ClosedRange<UInt64>) func aMadeUpChecksumBreaksNothing(_ seed: UInt64) throws {
    var dice = Dice(state: seed)
    let packed = try Archive.pack(made(50, seed % 3 + 1), keys, before: 77)
    for _ in 0..<100 {
      var bytes = Array(packed.dropLast(32))
      for _ in 0...UInt8.random(in: 0...3, using: &dice) {
        let place = Int.random(in: 24..<bytes.count, using: &dice)
        let any = UInt8.random(in: 0...255, using: &dice)
        bytes[place] = [0, 1, 0x7F, 0x80, 0xFF, any].randomElement(using: &dice) ?? any
      }
      if seed % 4 == 0 { bytes.removeLast(Int.random(in: 1..<bytes.count - 80, using: &dice)) }
      let made = bytes + Archive.digest(bytes[...], count: 32)
      do { _ = try Archive.unpack(made, keys, path: "x") } catch {
        guard case .refused(.damagedArchive) = error.kind else { throw error }
      }
    }
  }

  @Test func ofOtherKeysItIsRefused() throws {
    let packed = try Archive.pack(made(5, 1), keys, before: 77)
    let others = IdentityKeys(device: keys.event, event: keys.device)
    #expect(throws: StoreError(.refused(.foreignArchive), path: "x")) { try Archive.unpack(packed, others, path: "x") }
  }
}
