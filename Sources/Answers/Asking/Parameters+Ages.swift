internal import Console
internal import Lifecycle
internal import Query

extension Option {
  static func ages(_ fallback: String, _ help: String = "The ages to show") -> Option {
    Option("at", .duration, arity: .list, fallback: fallback, group: "STATISTICS", help: help)
  }
  static let baseline = Option(
    "baseline", .text, value: "auto|none|RELEASE", fallback: "auto", group: "STATISTICS", completion: "releases",
    help: "The release to hold it against at equal age; auto is the one before on the channel")
}

extension Parameters {
  /// Ages in order, each once, with those that gates ask for.
  func ages(_ option: Option, with gates: [Gate] = []) -> [Milliseconds] {
    let asked = durations(option).map(\.rawValue) + gates.compactMap(\.age?.rawValue)
    return Set(asked).sorted().map(Milliseconds.init(rawValue:))
  }

  var baseline: Baseline {
    switch text(.baseline) {
    case nil, "auto": .auto
    case "none": .none
    case let label?: .release(ReleaseLabel(rawValue: label))
    }
  }
}
