internal import Query

extension Mechanisms {
  static let ageFields: [Field<Age>] = [
    Field("seconds", \.seconds, "The age"), Field("atRisk", \.atRisk, "Devices still waiting before it"),
    Field(
      "shares", \.shares, "What each had delivered; with waiting they make 1",
      each: [
        Field("mechanism", \.mechanism, "The trigger, or newerRelease"),
        Field("events", \.events, "Updates by it so far"), Field("share", \.share, "Of all devices"),
        Field("atMost", \.atMost, "Where it has updated nobody yet: its share is at most this"),
        Field("atLeast", \.atLeast, "Where it has updated all: its share is at least this"),
      ]),
    Field("waiting", \.waiting, "Those that still wait"),
    Field("waitingAtMost", \.waitingAtMost, "Where nobody waits any more: the share is at most this"),
    Field(
      "differences", \.differences, "Between mechanisms",
      each: [
        Field("first", \.first, "A mechanism"), Field("second", \.second, "Another"),
        Field("share", \.share, "The first less the second"),
      ]),
    Field("isUnstable", \.isUnstable, isUnstableMeaning),
  ]

  static let hazardRatioFields: [Field<HazardRatio>] = [
    Field("first", \.first, "A mechanism"), Field("second", \.second, "Another"),
    Field("firstEvents", \.firstEvents, "Updates by the first"),
    Field("secondEvents", \.secondEvents, "Updates by the second"),
    Field("ratio", \.ratio, "How many times as often the first was first"),
    Field("significance", \.significance, "Against a ratio of 1"),
  ]

  static let legFields: [Field<Leg>] = [
    Field("mechanism", \.mechanism, "The trigger"), Field("delivered", \.delivered, "Devices that it made ready"),
    Field("publishedToReady", \.publishedToReady, "The mechanism's part", of: deliveryFields),
    Field("readyToApplied", \.readyToApplied, "The user's part", of: launchFields),
  ]

  private static let deliveryFields: [Field<Delivery>] = [
    Field("shares", \.shares, "The share of all devices that it had made ready by each age"),
    Field("quantiles", \.quantiles, "When it had made shares of all devices ready"),
    Field(
      "amongDelivered", \.amongDelivered, "The same among those that it reached by now",
      each: [Field("p", \.p, "The share"), Field("seconds", \.seconds, "When; no limits")]),
  ]

  private static let launchFields: [Field<Launch>] = [
    Field("devices", \.devices, "Devices that were ready"), Field("applied", \.applied, "Those that applied it"),
    Field("censored", \.censored, "Those that have not yet"), Field("quantiles", \.quantiles, "Times of shares"),
    Field("restrictedMean", \.restrictedMean, "Mean wait for the user"),
  ]

  static let experimentFields: [Field<Experiment>] = [
    Field(
      "reference", \.reference,
      "The arm named control, holdout or hold-out; else the first by name; null where nobody is in any"),
    Field(
      "arms", \.arms, "The arms",
      each: [
        Field("arm", \.arm, "The arm"),
        Field("devices", \.devices, "Its devices; null, as its other figures, where they are fewer than --min-cell"),
        Field("events", \.events, "Its updates"), Field("ages", \.ages, "Adoption by each age"),
        Field("median", \.median, "When half had updated"),
      ]),
    Field(
      "comparisons", \.comparisons, "Each arm less the reference: effects of the assignment",
      each: [
        Field("arm", \.arm, "The arm"), Field("reference", \.reference, "What it is held against"),
        Field("logRank", \.logRank, "Whether they differ at all"),
        Field("shares", \.shares, "Difference of adoption by each age, for one look at it"),
        Field("always", \.always, "The same with limits that hold at all looks together"),
        Field("restrictedMeans", \.restrictedMeans, "Difference of mean time without the update"),
      ]),
    Field(
      "withoutArm", \.withoutArm, "Devices that are in no arm; null where an arm has fewer devices than --min-cell"),
    Field(
      "namedLate", \.namedLate,
      "Those of them that named one only with the release, or later; null where they are fewer than --min-cell"),
    Field(
      "sampleRatio", \.sampleRatio,
      "Whether the arms have the devices that they should have; null where there are too few to tell",
      orNull: [
        Field("against", \.against, "The shares that were planned, or the same share on each platform"),
        Field(
          "significance", \.significance,
          "Of the deviation; null where only names tell that arms are off, or one has fewer devices than --min-cell"),
        Field("unplanned", \.unplanned, "Arms that devices name and --arms does not"),
        Field("missing", \.missing, "Arms of --arms that no device names, of so many that some should"),
        Field(
          "isOff", \.isOff,
          "Below one in a thousand, an arm is missing, or notable devices name unplanned ones: differences between the arms are then"
            + " no effects"),
      ]),
  ]

  static let wayFields: [Field<Way>] = [
    Field("way", \.way, oneOf: ["periodicSync", "silentPush"], "The way"),
    Field("mechanism", \.mechanism, "Its trigger"),
    Field("deliverySeconds", \.deliverySeconds, "Until half of what it delivered was ready"),
    Field("delivered", \.delivered, "Devices that it made ready"),
    Field(
      "interference", \.interference,
      "What the operating system did, whatever the release: on the row's platform where rows are split by platform, else on all"
        + " devices looked at",
      of: [
        Field("kind", \.kind, oneOf: ["lostPushes", "overruns"], "What the system took away"),
        Field("share", \.share, "How much; of pushes, of those that the gateway accepted"),
        Field("sent", \.sent, "Pushes for all releases; null of periodicSync"),
        Field("rejected", \.rejected, "Those of them that the gateway refused"),
        Field(
          "medianIntervalSeconds", \.medianIntervalSeconds,
          "Half of all runs came within this of the one before on their device; devices that run often count most"),
        Field(
          "reason", \.reason,
          "Why there is no share: noRefreshesReported, noEndsReported, noMaturePushes, noReceipts (no device reports that a push"
            + " arrived) or receiptsPartly (a tenth or more of those that pushes brought a release do not)"),
      ]),
    Field("needsPushServer", \.needsPushServer, "Whether somebody must run one"),
    Field("goodFor", \.goodFor, "What it is good for"),
  ]
}
