/// Why a number, or its limits, cannot be given. The raw values are part of every answer's JSON.
public enum Unestimable: String, Error, CaseIterable, Hashable, Sendable, Codable {
  /// Nobody was ever at risk, or nothing was tried.
  case nothingAtRisk
  /// It has not happened once: the estimate stands, limits do not exist.
  case noEvents
  /// It has happened to all that were at risk: the estimate stands, limits do not exist.
  case allEvents
  /// Nothing varied in the data: the estimate stands, limits do not exist.
  case noVariation
  /// The curve, or its limit, does not get that far.
  case notReached
  /// Asked about a time after the last device left the risk set.
  case beyondFollowUp
  /// Devices came in after few were left, or none, and what those few did is not said of them.
  case enteredLater
  /// Not every part of the devices was followed so long: beyond that age others would speak for it.
  case partsNotFollowed
  /// Too little of what the method needs (clusters, past releases).
  case tooFew
  /// The groups were never at risk at the same time when something happened.
  case neverTogether
  /// The likelihood has no maximum: one group had all its events before the other.
  case monotoneLikelihood
  /// The target was reached before the forecast began.
  case alreadyReached
  /// Clocks start at the first offer, in a rollout that is not complete: the estimate stands, and lies too high by more than
  /// chance.
  case clockFromOffer
  /// Updates are seen at checks, and one group may check more often than the other: what differs may be when they were looked at.
  case timedByChecks
  /// Limits that hold at all ages together begin later, or end before.
  case outsideBand
  /// Nothing reports that pushes arrive: what was lost is not known.
  case noReceipts
  /// It is of fewer devices than may be shown.
  case fewerThanMinCell
}
