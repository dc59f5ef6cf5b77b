internal import Console
internal import Query

let bandMeaning =
  "Between which ages limits of the curve hold together; null where they hold at each age by itself, or too little is known"

extension Band {
  static let fields: [Field<Band>] = [
    Field("fromSeconds", \.fromSeconds, "From this age on"), Field("untilSeconds", \.untilSeconds, "Until this one"),
  ]
}

extension Band {
  fileprivate var words: String {
    let (from, until) = (duration(seconds: Double(fromSeconds)), duration(seconds: Double(untilSeconds)))
    return "limits hold at all ages from \(from) to \(until) together, not at each by itself"
  }
}

extension Reply {
  private var isSimultaneous: Bool {
    guard case .text(Bands.simultaneous.rawValue) = answer.query.fields["bands"] else { return false }
    return true
  }

  /// What limits that hold at all ages together cover.
  ///
  /// One note where all groups have the same.
  func bandNotes(_ band: (Question.Row) -> Band?) -> [String] {
    guard isSimultaneous else { return [] }
    let words = rows.map { band($0)?.words ?? "too few devices for limits that hold at all ages together" }
    return Set(words).count == 1 ? [words[0]] : zip(rows, words).map { prefix($0) + $1 }
  }

  /// What stands beside a plot whose band holds at all ages together.
  var bandCaption: String { isSimultaneous ? "band: all ages together" : "" }
}
