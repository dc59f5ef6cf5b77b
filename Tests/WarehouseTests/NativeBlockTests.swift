import Testing

@testable import Store
@testable import Warehouse

struct NativeBlockTests {
  @Test func columnsStandOneAfterAnother() {
    var block = NativeBlock(columns: 2, rows: 300, width: 3)
    block.add("one") { UInt8(truncatingIfNeeded: $0) }
    block.add("two") { _ in Int16(-2) }
    let head: [UInt8] = [2, 0xac, 2]
    let first = [3] + Array("one".utf8) + [5] + Array("UInt8".utf8) + (0..<300).map { UInt8($0 % 256) }
    let second =
      [3] + Array("two".utf8) + [5] + Array("Int16".utf8) + (0..<300).flatMap { _ in [0xfe, 0xff] as [UInt8] }
    #expect(block.bytes == head + first + second)
  }

  @Test func numbersAreFoundWhateverTheyAre() {
    var words = NumberedWords<String>()
    for number in [1, 2, 7, 1 << 40, -3] as [Int64] { words[number] = "\(number)" }
    words[2] = "again"
    #expect(
      words.count == 5 && words[2] == "again" && words[7] == "7" && words[1 << 40] == "\(1 << 40)" && words[-3] == "-3")
    #expect(words[0] == nil && words[3] == nil && words[8] == nil && words[-1] == nil)
    words[7] = nil
    #expect(words.count == 4 && words[7] == nil)
  }
}
