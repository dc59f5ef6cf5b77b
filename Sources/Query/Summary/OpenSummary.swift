/// Summaries of the newest releases only, which are made anew every few seconds while events come in.
public enum OpenSummary {
  public static func refresh(path: String) throws {}
}
