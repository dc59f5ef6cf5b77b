import CSQLite

public enum Memory {
  /// Gives back to the system what was freed: the C library keeps it, as it cannot know that it is not needed soon.
  public static func giveBack() { malloc_trim(0) }
}
