internal import Answers
internal import Console
internal import Lifecycle
internal import Query
internal import Statistics
internal import Store

private extension Option {
  static let effect = Option(
    "effect", .share, fallback: "2pp", help: "The difference of adoption that should be seen, in points")
  static let power = Option("power", .number(0.5...0.99), fallback: "0.9", help: "How surely it should be seen")
  static let alpha = Option(
    "alpha", .share, fallback: "5%", help: "How often a difference may be seen where there is none")
  static let age = Option("at", .duration, fallback: "24h", help: "The age at which adoption is compared")
  static let holdout = Option("holdout", .share, fallback: "50%", help: "The share of devices in the smaller arm")
  static let experimentName = Option("experiment", .text, fallback: "push", help: "The name of the experiment")
  static let arms = Option(
    "arms", .text, value: "ARMS", fallback: "holdout:5,push:95", help: "The arms, with their shares of devices"
  )
}

extension Command {
  static let experiment = Command(
    "experiment", group: "OPERATIONS", purpose: "Plan a random experiment, and assign devices to its arms",
    discussion: """
      A hold-out that gets no push says what pushing causes. Clients assign themselves, and name their arm with every \
      event; uptake mechanisms compares the arms.
      """, seeAlso: ["mechanisms"], subcommands: [.experimentPlan, .experimentArm])

  static let experimentPlan = Command(
    "plan", purpose: "Say how many devices it takes to see an effect, and whether a rollout has them",
    discussion: """
      By the normal approximation for two shares, with the adoption and devices of up to five past releases of the \
      channel whose rollouts never stood at 0%: for one look at the end, and for as many looks as one likes, by the limits for all looks together that \
      uptake mechanisms shows. Those are wider, so it takes several times the devices, and a large effect is seen before. Where one rollout has too \
      few devices, how many do is not known: the same phones come again in the same arms, with the same habits.
      """,
    options: [.database, .app, .channel, .platform, .only, .effect, .power, .alpha, .age, .holdout, .now]
      + Option.answer,
    examples: [
      .init("Two points more adoption after a day", "uptake experiment plan --effect 2pp --power 0.9"),
      .init("With a hold-out of 5%", "uptake experiment plan --effect 2pp --holdout 5%"),
    ], exits: [.notEnoughData, .databaseUnusable], seeAlso: ["mechanisms", "experiment arm"]
  ) { invocation in
    let snapshot = try invocation.snapshot()
    let options = try invocation.planned()
    let extent = try invocation.parameters.extent(nil, snapshot.vocabulary)
    try invocation.note(snapshot.unsaid(extent.only, app: extent.app).map { "warning: \($0.message)" })
    guard let plan = try ExperimentPlan(snapshot, extent, options) else {
      try invocation.note(["no release is old enough to plan by, of those whose rollout never stood at 0%"])
      return .notEnoughData
    }
    try invocation.show(presentation(plan, options))
    return plan.oneLook.size == nil ? .notEnoughData : .done
  }

  static let experimentArm = Command(
    "arm", purpose: "Print the arm of devices, by the rule that clients have",
    arguments: [.init("DEVICE", .oneOrMore, help: "Devices, as their client sends them; - reads one a line")],
    options: [.experimentName, .arms] + Option.answer,
    examples: [.init("Whom to leave out", "uptake experiment arm - --arms holdout:5,push:95 < devices.txt")],
    seeAlso: ["experiment plan"]
  ) { invocation in
    let rule = try ArmRule(
      reading: invocation.text(needed: .arms), of: try invocation.text(needed: .experimentName))
    let devices = try invocation.arguments.flatMap { word in
      guard word == "-" else { return [word] }
      return String(decoding: try invocation.host.readFile("/dev/stdin") ?? [], as: UTF8.self)
        .split(whereSeparator: \.isNewline).map(String.init)
    }
    // As events have them, and as GET /v1/arm wants them.
    if let odd = devices.first(where: { !(1...1024).contains($0.utf8.count) }) {
      throw Failure(
        "bad_value", odd.isEmpty ? "a device has no name" : "a device has a name of more than 1,024 bytes",
        place: "DEVICE", hints: ["write devices as their client sends them"], exit: .usage)
    }
    let rows = devices.map { (device: $0, arm: rule.arm(of: $0)) }
    try invocation.show(
      Presentation(
        table: Table(
          [.init("DEVICE", key: "device"), .init("ARM", key: "arm")],
          rows: rows.map { [.text($0.device), $0.arm.map(Cell.text) ?? .missing(because: "in no arm")] }),
        document: [
          "schema": "uptake.experiment-arm/1",
          "data": .array(rows.map { ["device": .string($0.device), "arm": $0.arm.map(JSON.string) ?? .null] }),
        ]))
    return .done
  }
}

extension Invocation {
  fileprivate func planned() throws(Failure) -> ExperimentPlan.Options {
    var options = ExperimentPlan.Options()
    options.effect = number(.effect) ?? options.effect
    options.power = number(.power) ?? options.power
    options.alpha = number(.alpha) ?? options.alpha
    options.share = number(.holdout) ?? options.share
    options.at = parameters.milliseconds(.age) ?? options.at
    guard options.effect != 0, options.alpha > 0, options.alpha < 0.5, options.share > 0, options.share <= 0.5,
      options.at.rawValue > 0
    else {
      throw Failure(
        "bad_value", "the effect is not 0, alpha is between 0 and 50%, the smaller arm at most 50%, the age above 0",
        exit: .usage)
    }
    return options
  }
}

private func presentation(_ plan: ExperimentPlan, _ options: ExperimentPlan.Options) -> Presentation {
  let efforts = [("one, at the end", plan.oneLook), ("as many as one likes", plan.allLooks)]
  let about: [String: JSON] = [
    "channel": .string(plan.channel), "releases": .array(plan.releases.map(JSON.string)),
    "atSeconds": .integer(Int(options.at.rawValue / 1000)), "baseline": .number(plan.baseline),
    "effect": .number(options.effect), "power": .number(options.power), "alpha": .number(options.alpha),
    "smallerArm": .number(options.share), "devicesOfARelease": .integer(plan.devices),
    "atAllLooks": .object(members(plan.allLooks)),
  ]
  return Presentation(
    table: Table(
      [
        .init("LOOKS", key: "looks", least: 20),
        .init("ADOPTION BY \(age(seconds: options.at.rawValue / 1000))", key: "baseline"),
        .init("SMALLER ARM", key: "smaller"), .init("LARGER ARM", key: "larger"),
        .init("DEVICES OF A RELEASE", key: "devicesOfARelease", isOptional: true),
        .init("ROLLOUTS", key: "rollouts"), .init("TAKES", key: "seconds"),
      ],
      rows: efforts.map { looks, effort in cells(looks, effort, plan) }),
    document: [
      "schema": "uptake.experiment-plan/1",
      "data": .array([.object(about.merging(members(plan.oneLook)) { own, _ in own })]),
    ],
    notes: [
      "adoption by \(age(seconds: options.at.rawValue / 1000)) on \(plan.channel), by \(plan.releases.joined(separator: ", "))",
      "one look goes by the limits for one look, and only the last one counts; with as many as one likes, by those for all looks together",
    ] + plan.notes)
}

extension ExperimentPlan {
  fileprivate var notes: [String] {
    let left =
      leftOut.isEmpty
      ? []
      : [
        "left out, as their rollouts stood at 0%, and adoption says how long devices were let wait: \(leftOut.joined(separator: ", "))"
      ]
    return left + ([oneLook, allLooks].contains(where: \.isBeyondOneRollout) ? [oneRollout] : [])
  }

  private var oneRollout: String {
    "a rollout has about \(grouped(devices)) devices: where that is too few, one does not tell, and how many do is not known, as the same"
      + " phones come again in the same arms, with the same habits, and add less than they count; a larger effect takes fewer devices,"
      + " and so do arms of equal size"
  }
}

extension ExperimentPlan.Effort {
  fileprivate var isBeyondOneRollout: Bool { size != nil && rollouts == nil }
}

private func members(_ effort: ExperimentPlan.Effort) -> [String: JSON] {
  [
    "smaller": effort.size.map { .integer($0.smaller) } ?? .null,
    "larger": effort.size.map { .integer($0.larger) } ?? .null,
    "rollouts": effort.rollouts.map(JSON.integer) ?? .null,
    "seconds": effort.duration.map { .integer(Int($0.rawValue / 1000)) } ?? .null,
  ]
}

private func cells(_ looks: String, _ effort: ExperimentPlan.Effort, _ plan: ExperimentPlan) -> [Cell] {
  let missing = "the share with that effect is none"
  let tooFew = effort.size == nil ? missing : "one rollout has too few devices"
  return [
    .text(looks), .share(plan.baseline), count(effort.size?.smaller, missing), count(effort.size?.larger, missing),
    .count(plan.devices), count(effort.rollouts, tooFew),
    effort.duration.map { .duration(seconds: Double($0.rawValue) / 1000) } ?? .missing(because: tooFew),
  ]
}

private func count(_ value: Int?, _ reason: String) -> Cell { value.map { .count($0) } ?? .missing(because: reason) }
