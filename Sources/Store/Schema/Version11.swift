/// The eleventh version: what waits on devices, and what they named last, outlasts a restart.
extension Schema {
  static let version11: [StaticString] = [rememberedReleases, "PRAGMA user_version = 11"]

  /// The release that a device has under way, that waits on it, or that it installed last, for clients that leave it out of reports
  /// or name it as what runs. It may be two, with a line break between.
  private static let rememberedReleases: StaticString = """
    CREATE TABLE remembered_release (device INTEGER PRIMARY KEY, release TEXT NOT NULL);
    """
}
