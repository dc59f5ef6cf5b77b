/// The seventh version: every page ends with a checksum, which nothing but this number tells other programs of.
///
/// An older program would write pages without: it refuses the file by its number.
extension Schema {
  static let version7: [StaticString] = ["PRAGMA user_version = 7"]
}
