internal import Lifecycle
internal import Query
internal import Statistics

/// The answer first: how a release fares, and the figures that say so.
struct Verdict {
  enum Kind: String, CaseIterable {
    case onTrack = "On track"
    case slow = "Slow"
    case failing = "Failing"
    /// Failures that nobody set a limit for.
    case unjudged = "Judge by hand"
    case tooEarly = "Too early to say"
    case stale = "Data are stale"
    case done = "Replaced"

    var style: String {
      switch self {
      case .onTrack: "good"
      case .slow, .stale, .unjudged: "warn"
      case .failing: "bad"
      case .tooEarly, .done: "calm"
      }
    }
    var badge: HTML { "<span class=\"badge \(style)\">\(rawValue)</span>" }
  }
  var kind: Kind
  var sentence: HTML
  var figures: [HTML] = []

  /// Data older than this say nothing about now.
  static let stalest = Milliseconds.hours(6)
  static let youngest = Milliseconds.hours(6)
  static let fewestDevices = 200

  var html: HTML {
    "<div class=\"verdict \(kind.style)\"><p><strong>\(kind.rawValue).</strong> \(sentence)</p>\(list)</div>"
  }

  var list: HTML { figures.isEmpty ? "" : "<ul>\(figures.map { "<li>\($0)</li>" as HTML })</ul>" }
}
