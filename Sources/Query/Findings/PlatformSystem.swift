/// Who decides on a platform when apps run and pushes arrive, however clients spell its name.
enum PlatformSystem {
  case apple, android, other

  private static let appleNames = ["ios", "ipados", "iphone", "ipad", "tvos", "watchos", "visionos", "macos"]

  init(_ platform: String) {
    let name = platform.lowercased()
    self =
      Self.appleNames.contains { name.hasPrefix($0) } ? .apple : name.hasPrefix("android") ? .android : .other
  }

  /// What is said of one system; of a platform that is neither, both.
  func choose<Item>(apple: [Item], android: [Item]) -> [Item] {
    switch self {
    case .apple: apple
    case .android: android
    case .other: apple + android
    }
  }
}
