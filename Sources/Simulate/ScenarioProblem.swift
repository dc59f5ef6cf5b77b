/// What is wrong with a scenario file, where, and how it can be put right.
public struct ScenarioProblem: Error, Equatable, Sendable, CustomStringConvertible {
  public var file: String
  /// From 1; 0 concerns the file as a whole.
  public var line: Int
  public var what: String
  public var hint: String

  /// `file:line`, or the file alone.
  public var place: String { line > 0 ? "\(file):\(line)" : file }
  public var description: String { "\(place): \(what)\n  hint: \(hint)" }
}

/// A problem before anybody knows its place.
struct LineProblem: Error {
  var what: String
  var hint: String
}
