internal import Console
internal import Query

extension Reply {
  /// Of answers that were counted until now.
  var provisionalNotes: [String] {
    guard case .flag(true) = answer.query.fields["provisional"],
      case .integer(let lag) = answer.query.fields["reportingLagSeconds"], lag > 0
    else { return [] }
    return ["the newest \(duration(seconds: Double(lag))) are provisional: 1 % of events come later than that"]
  }
}
