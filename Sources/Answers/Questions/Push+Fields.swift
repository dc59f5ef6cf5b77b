internal import Query

extension Push {
  static let query: [Member] = .extent(Member("horizonSeconds", .integer, "A later push is late"))

  static var fields: [Field<Push>] { fields([]) }
  static func fields(_ reply: Reply<Push>) -> [Field<Push>] { fields(reply.options.quantiles) }

  private static func fields(_ quantiles: [Double]) -> [Field<Push>] {
    sentFields + shareFields
      + [
        Field("arrivals", \.arrivals, "Delivered pushes by how they came: background, atLaunch, inUse"),
        Field(
          "lostThoughRefreshed", \.lostThoughRefreshed,
          "Lost pushes of devices that a background refresh woke in that time"),
        Field("latency", \.latency, "From sending to arrival", .quantiles(4, quantiles) { .one($0.latency.quantiles) }),
      ] + throttlingFields
  }

  private static let sentFields: [Field<Push>] = [
    .group, Field("sent", \.sent, "Pushes that the push server reported", .column(1, "SENT")),
    Field("rejected", \.rejected, "Of these, refused by the gateway", .column(9, "REJECTED").optional),
    Field("accepted", \.accepted, "Of these, accepted"),
    Field("devices", \.devices, "Devices that they went to", .column(10, "DEVICES").optional),
    Field("orphans", \.orphans, "Wake-ups by a push that nobody reported; null where one release is asked for"),
    Field(
      "states", \.states,
      "Accepted pushes by state; each is in one. Where no device reports that a push arrived, lost means no more than that"
    ),
    Field("mature", \.mature, "Accepted pushes sent at least the horizon before the cutoff", .column(2, "MATURE")),
    Field("matureStates", \.matureStates, "Those by state"),
  ]

  private static let shareFields: [Field<Push>] = [
    Field(
      "delivered", \.delivered,
      "Received within the horizon, among mature pushes; as coalesced, lost and credited of none where no device reports that a push"
        + " arrived (reason noReceipts)", .column(3, "DELIVERED")),
    Field("coalesced", \.coalesced, "Replaced by a newer push before any receipt", .column(6, "REPLACED").optional),
    Field("unreached", \.unreached, "Sent to a device that was not heard of again", .column(7, "UNREACHED").optional),
    Field("lost", \.lost, "Never received, among mature pushes neither replaced nor unreached", .column(5, "LOST")),
  ]

  private static let throttlingFields: [Field<Push>] = [
    Field(
      "throttling", \.throttling, "Whether many pushes are held back",
      each: [
        Field("pushesBefore", \.pushesBefore, "Accepted pushes to the device in the 24 hours before"),
        Field("delivered", \.delivered, "Delivered, after so many"),
      ]),
    Field("deviceHours", \.deviceHours, "How many pushes devices got in an hour"),
    Field(
      "hourOfWeek", \.hourOfWeek, "When pushes get through",
      of: [
        Field("mature", \.mature, "Mature pushes by hour of the week, Monday 00 UTC first"),
        Field("delivered", \.delivered, "Of these, delivered"),
      ]),
    Field(
      "credited", \.credited, "Pushes that led to the update, among mature ones that name a release",
      .column(8, "LED TO UPDATE").optional),
    Field("sentToApplied", \.sentToApplied, "From sending to the update, for those"),
  ]
}
