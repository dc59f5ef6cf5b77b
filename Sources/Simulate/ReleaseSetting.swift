import Lifecycle

/// What a scenario file can say about the release named last.
struct ReleaseSetting: Sendable {
  let usage: String
  let meaning: String
  let apply: @Sendable (inout ReleasePlan, inout ScenarioWords) throws(LineProblem) -> Void

  var keyword: Substring { usage.prefix { $0 != " " } }

  static let all: [ReleaseSetting] = [
    ReleaseSetting(
      usage: "publish production [ios|android] at 1d6h [rollout 10%@0h,100%@24h] [mandatory]",
      meaning: "gives the release out on a channel, counted from the start"
    ) { (release, words) throws(LineProblem) in
      release.publications.append(try publication(&words))
    },
    ReleaseSetting(
      usage: "push production at 1d6h [times 3 every 20m] [expires 24h]", meaning: "sends silent pushes to the channel"
    ) { (release, words) throws(LineProblem) in
      release.pushes.append(try push(&words))
    },
    ReleaseSetting(usage: "halt production at 3d", meaning: "stops the rollout and takes the release back") {
      (release, words) throws(LineProblem) in
      let channel = try words.word("the channel")
      try words.keyword("at")
      let at = try words.duration("the time")
      guard release.publications.contains(where: { $0.channel == channel }) else {
        throw words.problem("\(release.label) is not published on '\(channel)' above this line")
      }
      for index in release.publications.indices where release.publications[index].channel == channel {
        release.publications[index].haltedAt = at
      }
    },
    ReleaseSetting(usage: "size 900KB", meaning: "bytes of its patch; a whole download is six times as large") {
      (release, words) throws(LineProblem) in
      release.bytes = try size(&words)
    },
    ReleaseSetting(
      usage: "crashes-on 8% [of ios|android | of system 14]",
      meaning: "share of devices, or of those of a platform or a system, on which it crashes at launch"
    ) { (release, words) throws(LineProblem) in
      release.crashes = try words.share("the share")
      release.crashesAmong = words.take("of") ? try crashing(&words) : nil
    },
    ReleaseSetting(usage: "patch-fails-on 20%", meaning: "share of devices on which its patch does not apply") {
      (release, words) throws(LineProblem) in
      release.badPatch = try words.share("the share")
    },
    ReleaseSetting(usage: "stuck-at 20%", meaning: "share that the server gives it to at most, whatever is registered")
    {
      (release, words) throws(LineProblem) in
      release.stuckAt = try words.share("the share")
    },
    ReleaseSetting(
      usage: "rolls-back-on 15% after 6h",
      meaning: "share of devices that take it back, at the first launch so long after it was applied"
    ) { (release, words) throws(LineProblem) in
      release.takenBack = try words.share("the share")
      try words.keyword("after")
      release.takenBackAfter = try words.duration("the time")
    },
  ]
}

private func crashing(_ words: inout ScenarioWords) throws(LineProblem) -> ReleasePlan.Devices {
  if let platform = Platform.allCases.first(where: { words.take($0.name) }) { return .platform(platform) }
  try words.keyword("system")
  return .system(try words.word("the version"))
}

private func publication(_ words: inout ScenarioWords) throws(LineProblem) -> PublicationPlan {
  let channel = try words.word("the channel")
  let platform = Platform.allCases.first { words.take($0.name) }
  try words.keyword("at")
  var plan = PublicationPlan(channel: channel, platform: platform, at: try words.duration("the time"))
  if words.take("rollout") { plan.rollout = try words.rollout() }
  plan.mandatory = words.take("mandatory")
  return plan
}

private func push(_ words: inout ScenarioWords) throws(LineProblem) -> PushPlan {
  let channel = try words.word("the channel")
  try words.keyword("at")
  var plan = PushPlan(channel: channel, at: try words.duration("the time"))
  if words.take("times") {
    plan.times = try words.count("the number of pushes", in: 1...100)
    try words.keyword("every")
    plan.every = try words.duration("the interval")
  }
  if words.take("expires") { plan.expires = try words.duration("the expiry") }
  return plan
}

private func size(_ words: inout ScenarioWords) throws(LineProblem) -> Int64 {
  let word = try words.word("the size")
  for (unit, factor) in [("KB", 1000.0), ("MB", 1_000_000.0)] where word.hasSuffix(unit) {
    if let number = Double(word.dropLast(2)), number > 0, number * factor <= 1e9 { return Int64(number * factor) }
  }
  throw words.problem("the size '\(word)' is not like 900KB or 2.5MB")
}
