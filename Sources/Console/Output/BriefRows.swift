/// Some of the rows of a table, and a line that says how many are left out, and how they are seen.
public struct BriefRows: Sendable {
  public let indices: [Int]
  public let note: String

  public init(_ indices: [Int], note: String) { (self.indices, self.note) = (indices, note) }
}
