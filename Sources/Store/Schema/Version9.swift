/// The ninth version: shards of devices that are written from now on say when each was heard of last.
extension Schema {
  /// Nothing is added to a file: programs before would leave the old instants behind as they write new spans.
  static let version9: [StaticString] = ["PRAGMA user_version = 9"]
}
