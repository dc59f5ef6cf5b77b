internal import Lifecycle

/// How a series is drawn: a colour in both palettes and a dash pattern, so that colour is never alone.
///
/// The raw values name it in markup and style; pages hold many of them.
enum Ink: String, CaseIterable {
  case main = "km"
  case baseline = "kb"
  case push = "kp"
  case refresh = "kr"
  case foreground = "kf"
  case location = "kl"
  case unknown = "ku"
  case newer = "kn"
  case failed = "kx"
  case waiting = "kw"
  case ready = "ky"
  case gold = "kg"
  case violet = "kv"

  var name: String { rawValue }

  init(mechanism: String) {
    switch Trigger(rawValue: mechanism) {
    case .silentPush: self = .push
    case .bgRefresh: self = .refresh
    case .foreground: self = .foreground
    case .location: self = .location
    case .unknown: self = .unknown
    case nil: self = .newer
    }
  }

  /// On white at least 3 to 1, from the palette of Okabe and Ito where it has such a tone.
  var light: String {
    switch self {
    case .main, .push: "#0072b2"
    case .refresh: "#d55e00"
    case .foreground, .ready: "#008c66"
    case .location: "#b0568c"
    case .unknown: "#767676"
    case .newer, .baseline: "#555"
    case .failed: "#b3261e"
    case .gold: "#8a6d00"
    case .violet: "#6a4fb3"
    case .waiting: "#949494"
    }
  }

  /// On near-black at least 3 to 1.
  var dark: String {
    switch self {
    case .main, .push: "#56b4e9"
    case .refresh: "#e69f00"
    case .foreground, .ready: "#2fbf94"
    case .location: "#cc79a7"
    case .unknown: "#9a9a9a"
    case .newer, .baseline: "#b5b5b5"
    case .failed: "#ff8a80"
    case .gold: "#e5d04a"
    case .violet: "#b39ddb"
    case .waiting: "#6f6f6f"
    }
  }

  /// Lengths of dash and gap in pixels; nil is a solid line.
  var dash: String? {
    switch self {
    case .main, .push, .waiting, .ready, .gold, .violet: nil
    case .refresh: "7 3"
    case .foreground: "2 3"
    case .location: "8 3 2 3"
    case .unknown, .failed: "1 4"
    case .newer, .baseline: "5 4"
    }
  }

  /// The rules of every ink for a page's style; custom properties hold the colours, so that palettes swap them, and the dashes
  /// of keys.
  static var style: String {
    allCases.map { ink in
      let dash = ink.dash.map { ".l.\(ink.name){stroke-dasharray:\($0)}" } ?? ""
      let stops = ink.stops.map { ";--d:\($0)" } ?? ""
      return ".\(ink.name){--k:var(--\(ink.rawValue))\(stops)}" + dash
    }.joined()
  }

  /// The dashes as stops of a gradient, behind its first colour: a key shows a line as the picture does.
  var stops: String? {
    guard let dash else { return nil }
    var (end, stops) = (0, [String]())
    for (place, length) in dash.split(separator: " ").compactMap({ Int($0) }).enumerated() {
      let colour = place == 0 ? "" : place % 2 == 1 ? "#0000 " : "var(--k) "
      stops.append("\(colour)0 \(end + length)px")
      end += length
    }
    return stops.joined(separator: ",")
  }

  static var lightPalette: String { allCases.map { "--\($0.rawValue):\($0.light)" }.joined(separator: ";") }
  static var darkPalette: String { allCases.map { "--\($0.rawValue):\($0.dark)" }.joined(separator: ";") }
}

extension String {
  /// How a page spells a mechanism, a competing cause, or what is left over.
  var mechanismWords: String {
    switch Trigger(rawValue: self) {
    case .silentPush: "silent push"
    case .bgRefresh: "background refresh"
    case .foreground: "app opened"
    case .location: "location wake-up"
    case .unknown: "unknown trigger"
    case nil: self == "newerRelease" ? "newer release" : self
    }
  }
}
