internal import Console
internal import Query

let bandMeaning =
  "Between which ages limits of the curve hold together; null where they hold at each age by itself, or too little is known"

extension Band {
  static let fields: [Field<Band>] = [
    Field("fromSeconds", \.fromSeconds, "From this age on"), Field("untilSeconds", \.untilSeconds, "Until this one"),
  ]
}

extension Reply {
  private var isSimultaneous: Bool {
    guard case .text(Bands.simultaneous.rawValue) = answer.query.fields["bands"] else { return false }
    return true
  }

  /// What limits that hold at all ages together cover.
  func bandNotes(_ bands: [Band?]) -> [String] {
    guard isSimultaneous else { return [] }
    let words = bands.map { band in
      guard let band else { return "too few devices for limits that hold at all ages together" }
      let (from, until) = (duration(seconds: Double(band.fromSeconds)), duration(seconds: Double(band.untilSeconds)))
      return "limits hold at all ages from \(from) to \(until) together, not at each by itself"
    }
    return Set(words).sorted()
  }

  /// What stands beside a plot whose band holds at all ages together.
  var bandCaption: String { isSimultaneous ? "band: all ages together" : "" }
}
