extension AnswerSchema {
  static let push = AnswerSchema(
    question: "push", query: .extent(Field("horizonSeconds", .integer, "A later push is late")),
    row: .group + [
      Field("sent", .integer, "Pushes that the push server reported"),
      Field("rejected", .integer, "Of these, refused by the gateway"),
      Field("accepted", .integer, "Of these, accepted"), Field("devices", .integer, "Devices that they went to"),
      Field(
        "orphans", .nullable(.integer), "Wake-ups by a push that nobody reported; null where one release is asked for"),
      Field("states", .map(.integer), "Accepted pushes by state; each is in one"),
      Field("mature", .integer, "Accepted pushes sent at least the horizon before the data end"),
      Field("matureStates", .map(.integer), "Those by state"),
      Field("delivered", .rate, "Received within the horizon, among mature pushes"),
      Field("coalesced", .rate, "Replaced by a newer push before any receipt"),
      Field("unreached", .rate, "Sent to a device that was not heard of again"),
      Field("lost", .rate, "Never received, among mature pushes neither replaced nor unreached"),
      Field("arrivals", .map(.integer), "Delivered pushes by how they came: background, atLaunch, inUse"),
      Field("lostThoughRefreshed", .integer, "Lost pushes of devices that a background refresh woke in that time"),
      Field("latency", .latency, "From sending to arrival"),
      Field(
        "throttling",
        .list(
          .object([
            Field("pushesBefore", .text, "Accepted pushes to the device in the 24 hours before"),
            Field("delivered", .rate, "Delivered, after so many"),
          ])), "Whether many pushes are held back"),
      Field("deviceHours", .deviceHours, "How many pushes devices got in an hour"),
      Field(
        "hourOfWeek",
        .object([
          Field("mature", .list(.integer), "Mature pushes by hour of the week, Monday 00 UTC first"),
          Field("delivered", .list(.integer), "Of these, delivered"),
        ]), "When pushes get through"),
      Field("credited", .rate, "Pushes that led to the update"),
      Field("sentToApplied", .latency, "From sending to the update, for those"),
    ], namesWithheld: true)

  static let wakeUps = AnswerSchema(
    question: "wakeups", query: .extent(Field("floorSeconds", .integer, "The shortest period that WorkManager grants")),
    row: .group + [
      Field("wakeUps", .integer, "Executions in the background"), Field("devices", .integer, "Devices that had some"),
      Field(
        "outcomes", .map(.integer), "Wake-ups by outcome; unsaid and unfinished beside newData, noData, failed, expired"
      ),
      Field("finished", .integer, "Wake-ups whose end was reported"),
      Field(
        "overrun",
        .object([
          Field("atLeast", .rate, "Over 30 s, or reported as expired"),
          Field("atMost", .rate, "Those and the unfinished"),
          Field("nearBudget", .rate, "Over 25 s, among those that gave a duration"),
        ]), "The 30-second budget"),
      Field("wasted", .rate, "noData, among finished wake-ups that gave an outcome"),
      Field(
        "refreshIntervals",
        .object([
          Field("count", .integer, "Intervals"), Field("devices", .integer, "Devices that had some"),
          Field(
            "quantiles",
            .list(
              .object([
                Field("p", .number, "The share of intervals"),
                Field("seconds", .nullable(.integer), "The length that the share does not exceed"),
              ])), "Their lengths"),
          Field("floorSeconds", .integer, "The shortest period that WorkManager grants"),
          Field("underFloor", .rate, "Intervals shorter than that"),
        ]), "From one background refresh of a device to its next"),
      Field(
        "hourOfDay",
        .object([
          Field("started", .list(.integer), "Wake-ups by hour of the day, 00 UTC first"),
          Field("newData", .list(.integer), "Of these, with new data"),
        ]), "When work is granted"),
      Field(
        "surroundings",
        .object([
          Field("wifi", .integer, "On Wi-Fi"), Field("cellular", .integer, "On cellular"),
          Field("charging", .integer, "Charging"), Field("unsaid", .integer, "The client said nothing"),
        ]), "Under which conditions, as far as the client says"),
      Field("pushHours", .nullable(.deviceHours), "Hours with silent pushes; null in rows of other triggers"),
    ], namesWithheld: true)
}
