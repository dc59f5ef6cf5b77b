import Lifecycle

/// One keyword of a scenario file: how it is written, what it means, what it does.
struct Setting: Sendable {
  let usage: String
  let meaning: String
  let apply: @Sendable (inout Scenario, inout ScenarioWords) throws(LineProblem) -> Void

  var keyword: Substring { usage.prefix { $0 != " " } }

  static let all: [Setting] = about + habits + client + transport

  private static let about: [Setting] = [
    text("name", "what the scenario is called", \.name),
    text("about", "one sentence about it", \.about),
    text("app", "the app's bundle or package id", \.app),
    text("base", "the release that devices run at the beginning", \.base),
    Setting(usage: "until 2025-06-30T00:00:00Z", meaning: "the end of the simulated time") {
      (scenario, words) throws(LineProblem) in
      let word = try words.word("the time")
      guard let until = try? Timestamp(rfc3339: word), until.isPermitted else {
        throw words.problem("'\(word)' is not a time")
      }
      scenario.until = until
    },
    count("days 30", "the length of the simulated time", 1...366, \.days),
    count("devices 20000", "installed at the beginning", 1...20_000_000, \.devices),
    share("ios 55%", "share of devices that run iOS; the others run Android", \.ios),
    Setting(usage: "channel production 90%", meaning: "a channel and its share of devices; the first is the default") {
      (scenario, words) throws(LineProblem) in
      let channel = ChannelShare(name: try words.word("the channel"), share: try words.share("its share"))
      if scenario.channels == Scenario().channels { scenario.channels = [] }
      scenario.channels.append(channel)
    },
  ]

  private static let habits: [Setting] = [
    Setting(usage: "opens 0.7 spread 1.1", meaning: "sessions a day of the median user; spread of their logarithm") {
      (scenario, words) throws(LineProblem) in
      scenario.habits.opensMedian = try words.number("the median", upTo: 100)
      if words.take("spread") { scenario.habits.opensSpread = try words.number("the spread", upTo: 3) }
    },
    share("force-quitters 15%", "people who swipe apps away", \.habits.forceQuitters),
    share("refresh-off 12%", "people who switched background refresh off", \.habits.refreshOff),
    share("churn 10%", "users lost in 30 days", \.habits.churn),
    share("installs 10%", "new devices in 30 days", \.habits.installs),
    share("reinstalls 15%", "of those who uninstall, who come back as a new device", \.habits.reinstalls),
    share("switches 1%", "devices that change their channel in 30 days", \.habits.switches),
    share("emulators 0.4%", "emulators among the devices", \.habits.emulators),
    share("location 8%", "devices that granted location in the background", \.habits.location),
  ]

  private static let client: [Setting] = [
    Setting(usage: "apply resume|cold-start", meaning: "the launches at which a ready release takes over") {
      (scenario, words) throws(LineProblem) in
      let word = try words.word("the launch")
      guard let mode = Client.ApplyMode(rawValue: word) else { throw words.problem("'\(word)' is no kind of launch") }
      scenario.client.apply = mode
    },
    Setting(usage: "work-period 60m", meaning: "period of Android's periodic work, 15 minutes or more") {
      (scenario, words) throws(LineProblem) in
      let period = try words.duration("the period")
      guard period >= RefreshSchedule.workMinimum else {
        throw words.problem("Android runs no work more often than 15m")
      }
      scenario.client.workPeriod = period
    },
    duration("refresh-earliest 4h", "what iOS is asked for as the earliest next refresh", \.client.refreshEarliest),
    duration("check-every 10m", "a foreground check is skipped when the last is younger", \.client.checkEvery),
    duration("report-every 2h", "a background run without news reports only after this", \.client.reportEvery),
    Setting(usage: "bucket reported|hidden", meaning: "whether clients know their rollout bucket") {
      (scenario, words) throws(LineProblem) in
      let word = try words.word("the choice")
      guard word == "reported" || word == "hidden" else { throw words.problem("'\(word)' is neither") }
      scenario.client.reportsBucket = word == "reported"
    },
    share("network-failures 2%", "downloads that break off", \.faults.network),
    share("disk-failures 0.4%", "downloads without room on disk", \.faults.disk),
    share("hash-failures 0.1%", "downloads with a wrong hash", \.faults.hash),
    share("signature-failures 0.02%", "downloads with a wrong signature", \.faults.signature),
    share("patch-failures 0.4%", "patches that do not apply", \.faults.patch),
    share("crashes 0.05%", "launches that crash for reasons of their own", \.faults.crash),
  ]

  private static let transport: [Setting] = [
    share("duplicates 1%", "requests whose answer is lost, so that they are sent again", \.transport.duplicates),
    share("retries 3%", "requests that fail at first", \.transport.retries),
    share("loss 0.2%", "events that never arrive", \.transport.loss),
    share("offline 4%", "devices off line at a given time", \.transport.offline),
    share("wrong-clocks 3%", "devices whose clock is off by minutes or hours", \.transport.wrongClocks),
    count("queue 200", "events that a client keeps while off line", 1...100_000, \.transport.queue),
    count("push-limit 3", "silent pushes an hour that iOS delivers", 1...4, \.silentPush.perHour),
    share("push-drops 2%", "silent pushes that the system drops", \.silentPush.dropped),
    share("holdout 5%", "devices that get no push, at random", \.silentPush.holdout),
    Setting(
      usage: "broken refresh ios",
      meaning:
        "a fault: refresh, pushes or gateway of a platform, system 18.5, build 5.2.0, channel beta at 9d, apply, taps"
    ) { (scenario, words) throws(LineProblem) in
      try scenario.broken.read(&words)
    },
    Setting(usage: "notices 0.5", meaning: "visible notifications a day, with which held pushes ride along") {
      (scenario, words) throws(LineProblem) in
      scenario.silentPush.noticesPerDay = try words.number("the number", upTo: 1000)
    },
  ]
}

private typealias Path<Value> = any WritableKeyPath<Scenario, Value> & Sendable

private func text(_ keyword: String, _ meaning: String, _ path: Path<String>) -> Setting {
  Setting(usage: "\(keyword) TEXT", meaning: meaning) { (scenario, words) throws(LineProblem) in
    guard !words.isEmpty else { throw words.problem("the text is missing") }
    scenario[keyPath: path] = words.text()
  }
}

private func share(_ usage: String, _ meaning: String, _ path: Path<Double>) -> Setting {
  Setting(usage: usage, meaning: meaning) { (scenario, words) throws(LineProblem) in
    scenario[keyPath: path] = try words.share("the share")
  }
}

private func duration(_ usage: String, _ meaning: String, _ path: Path<Milliseconds>) -> Setting {
  Setting(usage: usage, meaning: meaning) { (scenario, words) throws(LineProblem) in
    scenario[keyPath: path] = try words.duration("the duration")
  }
}

private func count(_ usage: String, _ meaning: String, _ range: ClosedRange<Int>, _ path: Path<Int>) -> Setting {
  Setting(usage: usage, meaning: meaning) { (scenario, words) throws(LineProblem) in
    scenario[keyPath: path] = try words.count("the number", in: range)
  }
}

extension Broken {
  fileprivate mutating func read(_ words: inout ScenarioWords) throws(LineProblem) {
    switch try words.word("what is broken") {
    case "refresh": refresh.insert(try platform(&words))
    case "pushes": pushes.insert(try platform(&words))
    case "gateway": gateways.insert(try platform(&words))
    case "system": systems.insert(try words.word("the version"))
    case "build": builds.insert(try words.word("the version"))
    case "channel":
      let name = try words.word("the channel")
      try words.keyword("at")
      silent[name] = try words.duration("the time")
    case "apply": apply = true
    case "taps": taps = true
    case let word: throw words.problem("'\(word)' cannot be broken")
    }
  }

  private func platform(_ words: inout ScenarioWords) throws(LineProblem) -> Platform {
    let word = try words.word("the platform")
    guard let platform = Platform.allCases.first(where: { $0.name == word }) else {
      throw words.problem("'\(word)' is neither ios nor android")
    }
    return platform
  }
}
