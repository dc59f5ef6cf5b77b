/// Two releases each: the first one is ordinary, and the verdict on the second is the point.
extension BuiltInScenario {
  private static func judged(_ name: String, _ about: String, first: String = "", second: String = "") -> Self {
    func lines(_ text: String) -> String { text.isEmpty ? "" : "\n  " + text }
    return Self(
      name: name,
      text: """
        name \(name)
        about \(about)
        days 9
        devices 10000
        base 2.0.0

        release 2.1.0
          publish production at 1d9h\(lines(first))
        release 2.2.0
          publish production at 4d9h rollout 20%@0h,50%@24h,100%@48h\(lines(second))
        """)
  }

  static let healthy = judged("healthy", "Nothing is the matter with either release.")

  static let healthyButSlow = judged(
    "healthy-but-slow", "The second release is large: it works, and takes devices longer to get.", second: "size 200MB")

  static let stalls = judged(
    "stalls", "The second release is so large that hardly any device ever has all of it.", second: "size 900MB")

  static let crashesOn = judged(
    "crashes-on", "The second release crashes at its first launch on one device in eleven.", second: "crashes-on 9%")

  static let rollsBackLate = judged(
    "rolls-back-late", "One device in seven takes the second release back hours after it ran it first.",
    second: "rolls-back-on 15% after 4h")
}
