internal import Console

/// What pages add to the way that the command line writes numbers.
enum Format {
  /// 0.4587 is `45.9%`; only nothing is `0%` and only all is `100%`.
  static func share(_ value: Double, _ decimals: Int = 1) -> String {
    guard decimals == 0 else { return Console.share(value) }
    if value > 0, value < 0.005 { return "<1%" }
    if value < 1, value >= 0.995 { return ">99%" }
    return decimal(value * 100, 0) + "%"
  }

  /// `2025-03-08 00:00 UTC`, from RFC 3339.
  static func minute(_ rfc3339: String) -> String {
    String(rfc3339.prefix(10)) + " " + rfc3339.dropFirst(11).prefix(5) + " UTC"
  }
}
