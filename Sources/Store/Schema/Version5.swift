/// The fifth version: region, model and tags of devices.
extension Schema {
  static let version5: [StaticString] = [traits, "PRAGMA user_version = 5"]

  private static let traits: StaticString = "ALTER TABLE profile ADD COLUMN traits TEXT"
}
