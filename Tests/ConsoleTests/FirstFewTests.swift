import Console
import Testing

struct FirstFewTests {
  private static let rows: [([String], String)] = [
    ([], ""), (["1.0"], "1.0"), (["1.0", "2.0", "3.0"], "1.0, 2.0, 3.0"),
    (["1.0", "2.0", "3.0", "4.0"], "1.0, 2.0, 3.0 and 1 more"),
    ((1...400).map { "\($0)" }, "1, 2, 3 and 397 more"),
  ]

  @Test(arguments: rows) func theRestIsCounted(_ names: [String], _ words: String) {
    #expect(firstFew(names) == words)
  }
}
