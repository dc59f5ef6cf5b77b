internal import Query
internal import Statistics

extension RiskCounts {
  /// The counts beside every estimate of a group.
  static let fields: [Field<RiskCounts>] = [
    Field("devices", \.devices, "Devices with time at risk; one that moved to another channel counts in each"),
    Field("events", \.events, "Updates"),
    Field("observedShare", \.observedShare, "events of devices: counted, not estimated; null where there are none"),
    Field("observedReason", \.observedReason, observedReasonMeaning),
    Field("eventsByMechanism", \.eventsByMechanism, "Updates by the trigger that is credited"),
    Field("newerRelease", \.newerRelease, "Devices that went to a newer release, where that competes"),
    Field("censored", \.censored, "Intervals at risk that ended without an update"),
    Field(
      "censoredBy", \.censoredBy,
      "Those by why they ended: cutOff, silent, switched, superseded; halted where the rollout was"),
    Field("intervals", \.intervals, "Intervals at risk; more than devices where some went silent and came back"),
    Field("lateEntries", \.lateEntries, "Intervals that began after time 0"),
    Field("excluded", \.excluded, "Devices without time at risk, by reason"),
    Field("remarks", \.remarks, "Devices that a reader should know of, by remark"),
  ]
}

let observedReasonMeaning =
  "clockFromOffer where observedShare is of those alone that were offered the release, as nobody knows who else was let have it"
