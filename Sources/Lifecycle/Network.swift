/// What a client said of its connection and power: some of these, or nothing.
public struct Network: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let wifi = Network(rawValue: 1)
  public static let cellular = Network(rawValue: 2)
  public static let charging = Network(rawValue: 4)
  /// The client said something, known or not; without it nothing was said.
  public static let said = Network(rawValue: 8)

  /// Reads words such as `wifi`, `cellular` or `wifi,charging`, whatever joins them.
  public init(_ text: String) {
    self = .said
    for word in text.lowercased().split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "-" }) {
      switch word {
      case "wifi", "wi-fi", "wlan": insert(.wifi)
      case "cellular", "mobile", "wwan", "2g", "3g", "4g", "5g", "lte": insert(.cellular)
      case "charging", "plugged": insert(.charging)
      default: break
      }
    }
  }
}

extension Network {
  /// What it is called where answers are split by it; nil where nothing was said.
  public var word: String? {
    switch intersection([.wifi, .cellular]) {
    case [.wifi, .cellular]: "wifi+cellular"
    case .wifi: "wifi"
    case .cellular: "cellular"
    default: contains(.said) ? "other" : nil
    }
  }

  /// All that `word` can say, in the order of names.
  public static let words = ["cellular", "other", "wifi", "wifi+cellular"]
}
