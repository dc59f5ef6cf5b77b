public import Store

/// Apps whose names differ in capitals or spaces alone: one app, mostly, whose devices are counted apart.
public struct AlikeApps: Equatable, Sendable {
  public let names: [String]

  /// Those of the database that have such another.
  ///
  /// - Parameter app: only those like this one; nil for all.
  public static func all(_ vocabulary: Vocabulary, like app: String?) -> [AlikeApps] {
    Dictionary(grouping: vocabulary.apps, by: core).values
      .filter { names in names.count > 1 && app.map(names.contains) ?? true }
      .map { AlikeApps(names: $0.sorted()) }.sorted { $0.names[0] < $1.names[0] }
  }

  private static func core(_ name: String) -> String { name.lowercased().filter { !$0.isWhitespace } }

  public var words: String {
    "\(names.map(named).joined(separator: ", ")) are spelt alike and count as \(names.count) apps, each with its own devices and"
      + " releases: let all builds send one name"
  }
}
