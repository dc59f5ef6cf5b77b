/// The tenth version: long columns of devices that are written from now on lie in several rows.
extension Schema {
  /// Nothing is added to a file: programs before would take the first row for the whole column.
  static let version10: [StaticString] = ["PRAGMA user_version = 10"]
}
