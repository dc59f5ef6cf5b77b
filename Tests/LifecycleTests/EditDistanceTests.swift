import Lifecycle
import Testing

@Suite struct EditDistanceTests {
  /// Law: a distance is 0 only for equal words, the same both ways, and no longer than the longer word.
  @Test func measuresDistances() {
    let words = ["", "a", "ab", "ba", "abc", "acb", "xyz"].map(Array.init)
    for left in words {
      for right in words {
        let distance = editDistance(left, right)
        #expect((distance == 0) == (left == right))
        #expect(distance == editDistance(right, left))
        #expect(distance <= max(left.count, right.count))
      }
    }
    #expect(editDistance(Array("ab"), Array("ba")) == 1)
    #expect(editDistance(Array("kitten"), Array("sitting")) == 3)  // the textbook's pair
  }
}
