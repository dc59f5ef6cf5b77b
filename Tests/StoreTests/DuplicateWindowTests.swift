import Testing

@testable import Store

@Suite struct DuplicateWindowTests {
  private func identity(_ number: UInt64) -> UInt64 {
    let mixed = (number ^ (number >> 30)) &* 0xbf58_476d_1ce4_e5b9
    return (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
  }

  @Test func knowsWhatItAdmitted() {
    var window = DuplicateWindow(capacity: 1 << 20)
    var refused = 0
    for number in 0..<500_000 as Range<UInt64> { refused += window.admit(identity(number)) ? 0 : 1 }
    #expect(refused == 0)
    for number in 0..<500_000 as Range<UInt64> { refused += window.admit(identity(number)) ? 0 : 1 }
    #expect(refused == 500_000)
  }

  @Test func forgetsWhatWasTakenBack() {
    var window = DuplicateWindow(capacity: 1000)
    var answers = [window.admit(42)]
    window.forget(42)
    answers += [window.admit(42), window.admit(42)]
    #expect(answers == [true, true, false])
  }

  /// At its capacity the window still knows nearly all of the newest, and the oldest go first.
  @Test func losesTheOldestFirst() {
    let capacity: UInt64 = 1 << 20
    var window = DuplicateWindow(capacity: Int(capacity))
    for number in 0..<(3 * capacity) { _ = window.admit(identity(number)) }
    let newest = (3 * capacity - capacity / 2)..<(3 * capacity)
    let known = newest.reduce(0) { $0 + (window.admit(identity($1)) ? 0 : 1) }
    #expect(Double(known) > 0.99 * Double(newest.count))
  }

  @Test func tellsNeighboursApart() {
    var window = DuplicateWindow(capacity: 1000)
    let answers = (0..<64).map { window.admit(1 << UInt64($0)) } + [window.admit(0), window.admit(0)]
    #expect(answers == Array(repeating: true, count: 65) + [false])
  }
}
