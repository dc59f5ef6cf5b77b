import CSQLite

public enum Memory {
  /// Gives back to the system what was freed: the C library keeps it, as it cannot know that it is not needed soon.
  public static func giveBack() { malloc_trim(0) }

  /// Keeps what is freed, for a process that answers questions: a scan asks for the same again shard after shard, and to have the
  /// system clear pages for it anew takes an eighth of the time. What is greater comes from the system and goes back as it was.
  public static func keepFreed() {
    mallopt(uptake_mallopt_mmap_threshold, 16 << 20)
    mallopt(uptake_mallopt_trim_threshold, 256 << 20)
    mallopt(uptake_mallopt_top_pad, 1 << 20)
  }
}
