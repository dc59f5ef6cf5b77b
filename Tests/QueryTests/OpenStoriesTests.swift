import Lifecycle
import Store
import Testing

@testable import Query

/// What one device does decides whether a question looks at it beside an open summary; the answers are those that all devices give.
@Suite struct OpenStoriesTests {
  private static func daily(_ days: Range<Int>, _ said: String = "check 0") -> [StoryFleet.Said] {
    days.map { (Double($0), said) }
  }

  /// Summarised on day 90; all releases but 4 have ended.
  private static let stories: [StoryFleet.Story] = [
    .init(title: "who is still there", known: daily(1..<90), later: [(91, "check 0")], twice: 0),
    .init(title: "who is not heard of", known: daily(1..<90), twice: 0),
    .init(
      title: "who comes back within the reach window has been there all the time", known: daily(1..<66),
      later: [(91, "check 0")], twice: 0),
    .init(
      title: "who comes back after it was silent", known: daily(1..<63), later: [(91, "check 0")], twice: 1),
    .init(
      title: "but not yet at an earlier cutoff", known: daily(1..<63), later: [(91.001, "check 0")], twice: 0, day: 91),
    .init(title: "who is new", known: [], later: [(91, "check 0")], twice: 1),
    .init(title: "who updates", known: daily(1..<90), later: [(91, "applied 4")], twice: 1),
    .init(title: "who is offered it", known: daily(1..<90), later: [(91, "available 4")], twice: 1),
    .init(title: "who says another release", known: daily(1..<90), later: [(91, "check 3")], twice: 1),
    .init(title: "who goes to another channel", known: daily(1..<90), later: [(91, "beta 0")], twice: 1),
    .init(
      title: "whose event of an hour ago comes late", known: daily(1..<90), later: [(88.96, "check 0")], twice: 1),
    .init(
      title: "who says two things at one instant", known: daily(1..<90), later: [(91, "check 0"), (91, "check")],
      twice: 0),
    .init(
      title: "but not an update", known: daily(1..<90), later: [(91, "check 0"), (91, "applied 4")], twice: 1),
    .init(
      title: "whose clock is an hour ahead", known: daily(1..<90), later: [(91.04, "check 0")], twice: 1, day: 91),
    .init(
      title: "or two minutes", known: daily(1..<90), later: [(91.001, "check 0")], twice: 0, day: 91),
    .init(
      title: "of whom more was known than that it is there", known: daily(1..<90) + [(90.2, "applied 4")], twice: 1),
    .init(
      title: "or that it runs again what it ran before",
      known: daily(1..<40) + [(41, "applied 2")] + daily(42..<90, "check 2") + [(90.2, "check 0")], twice: 1),
    .init(title: "and of whom nothing else was", known: daily(1..<90) + [(90.2, "check 0")], twice: 0),
    .init(
      title: "who comes back after three days is in reach of the last day again", known: daily(1..<88),
      later: [(90.5, "check 0")], twice: 0, day: 91),
    .init(
      title: "who came back after three days beyond the cutoff", known: daily(1..<88) + [(90.2, "check 0")], twice: 1,
      day: 90.15),
    .init(
      title: "whose contact joins what it said before something else and since",
      known: daily(1..<89) + [
        (89.6, "applied 3"), (89.62, "check 0"), (89.65, "check 3"), (89.68, "applied 0"),
      ], later: [(90.4, "check 0")], twice: 1, day: 90.45),
  ]

  @Test(arguments: stories.indices) func tellsOneDevicesStory(_ number: Int) throws {
    let story = Self.stories[number]
    let fleet = try StoryFleet(known: story.known, days: (1...90).map(Double.init) + [90.05, 90.3])
    for _ in 0..<2 { try OpenSummary.refresh(path: fleet.summarised.path, now: StoryFleet.at(90.1)) }
    try fleet.hear(story.later, other: story.day - 0.5)
    let answers = try answers(fleet, at: story.day)
    #expect(answers.used == 1 && answers.listedFast == 1 && answers.reachedFast == 2, "\(story.title)")
    #expect(answers.looked == story.twice, "\(story.title)")
  }

  /// Likewise, of what it tried and how far it got.
  private static let attempts: [StoryFleet.Story] = [
    .init(title: "who is still there", known: daily(1..<90), later: [(91, "check 0")], twice: 0),
    .init(title: "who begins", known: daily(1..<90), later: [(91, "downloadStarted 4")], twice: 0),
    .init(title: "who fails", known: daily(1..<90) + [(89.9, "available 4")], later: [(91, "failed 4")], twice: 0),
    .init(
      title: "who gets it and breaks", known: daily(1..<90) + [(89.9, "ready 4")],
      later: [(91, "applied 4"), (91.01, "crashed 4"), (91.02, "rolledBack 4")], twice: 0),
    .init(
      title: "who confirms first and says only then that it runs it", known: daily(1..<90) + [(89.95, "confirmed 4")],
      later: [(91, "check 4")], twice: 0),
    .init(
      title: "of whom that was known beyond the cutoff",
      known: daily(1..<90) + [(89.9, "available 4"), (90.2, "confirmed 4"), (90.25, "check 4")],
      later: [(91, "check 4")],
      twice: 0),
    .init(title: "who moves on to it", known: daily(1..<90) + [(80, "ready 3")], later: [(91, "applied 4")], twice: 0),
    .init(
      title: "whose first attempt is older than was known", known: daily(1..<90) + [(89.9, "ready 4")],
      later: [(88, "downloadStarted 4")], twice: 0),
    .init(
      title: "an emulator that is known of one release tries another",
      known: daily(1..<90, "check! 0") + [(45, "downloadStarted! 2")], later: [(91, "downloadStarted! 3")], twice: 0),
    .init(
      title: "who turns out to be an emulator", known: daily(1..<90) + [(45, "downloadStarted 2"), (89, "ready 4")],
      later: [(91, "check! 0")], twice: 0),
    .init(title: "who is new", known: [], later: [(91, "available 4"), (91.1, "ready 4")], twice: 0),
  ]

  @Test(arguments: attempts.indices, [90.3, 92]) func tellsWhatOneDeviceTried(_ number: Int, _ day: Double) throws {
    let story = Self.attempts[number]
    let fleet = try StoryFleet(known: story.known, days: (1...90).map(Double.init) + [90.05, 90.3])
    for _ in 0..<2 { try OpenSummary.refresh(path: fleet.summarised.path, now: StoryFleet.at(90.1)) }
    try fleet.hear(story.later, other: day - 0.5)
    var answers = OpenAnswers()
    for release in ["4", "3", "2"] {
      let label = ReleaseLabel(rawValue: release)
      try answers.compareJourneys(fleet.summarised, fleet.counted, label, at: StoryFleet.at(day))
    }
    #expect(answers.triedFast == 3 && answers.stagedFast > 1, "\(story.title)")
  }

  /// A release that is among the newest of one channel is an old one on another: what ended its steps there are releases of which no steps are
  /// kept.
  @Test func movesOnWhatOlderReleasesEnded() throws {
    let known = Self.daily(1..<90) + [(5.5, "available 0"), (11.5, "applied 1"), (12.5, "failed 0")]
    let fleet = try StoryFleet(
      known: known, days: (1...90).map(Double.init) + [90.05, 90.3], beta: "0")
    for _ in 0..<2 { try OpenSummary.refresh(path: fleet.summarised.path, now: StoryFleet.at(90.1)) }
    try fleet.hear([(91, "downloadStarted 0")], other: 91.6)
    for path in [fleet.summarised.path, fleet.counted.path] { try EventLog(path: path).sort() }
    var answers = OpenAnswers()
    for made in [91.2, 91.4] {
      try OpenSummary.refresh(path: fleet.summarised.path, now: StoryFleet.at(made))
      let label = ReleaseLabel(rawValue: "0")
      try answers.compareJourneys(fleet.summarised, fleet.counted, label, at: StoryFleet.at(92))
    }
    #expect(answers.triedFast == 2 && answers.stagedFast == 2, "\(answers)")
  }

  /// Of what comes in some lies beyond the cutoff of the summary, and still beyond that of a question.
  @Test func looksAtNobodyWhoIsStillAsleep() throws {
    let fleet = try StoryFleet(known: Self.daily(1..<63), days: (1...90).map(Double.init))
    try fleet.hear([(90.151, "check 0")], other: 90.153)
    try EventLog(path: fleet.summarised.path).sort()
    for _ in 0..<2 { try OpenSummary.refresh(path: fleet.summarised.path, now: StoryFleet.at(90.1)) }
    for (day, twice) in [(90.15, 0), (90.152, 1)] {
      let answers = try answers(fleet, at: day)
      #expect(answers.used == 1 && answers.looked == twice && answers.reachedFast == 2, "\(day) \(answers)")
    }
  }

  /// At a cutoff minutes before it comes back a device is in reach of no day, and of no month.
  @Test(arguments: [88, 62.12]) func doesNotReachWhoComesBackLater(_ last: Double) throws {
    let fleet = try StoryFleet(known: Self.daily(1..<Int(last)) + [(last, "check 0")], days: (1...90).map(Double.init))
    try fleet.hear([(90.151, "check 0")], other: 90.153)
    try EventLog(path: fleet.summarised.path).sort()
    for _ in 0..<2 { try OpenSummary.refresh(path: fleet.summarised.path, now: StoryFleet.at(90.1)) }
    for day in [90.148, 90.15, 90.152] { #expect(try answers(fleet, at: day).reachedFast == 2, "\(day)") }
  }

  /// What comes late may join what was said before something else and what is known since, though it comes after all that is merged.
  @Test func tellsOfWhatJoinsTwoContacts() throws {
    let said: [StoryFleet.Said] = [
      (89.6, "applied 3"), (89.62, "check 0"), (89.65, "check 3"), (89.68, "applied 0"),
    ]
    let fleet = try StoryFleet(known: Self.daily(1..<89) + said, days: (1...90).map(Double.init))
    try fleet.hear([(90.64, "check 0")], other: 90.66)
    try EventLog(path: fleet.summarised.path).sort()
    for _ in 0..<2 { try OpenSummary.refresh(path: fleet.summarised.path, now: StoryFleet.at(90.645)) }
    try fleet.hear([(90.5, "check 0")], other: 90.7)
    #expect(try answers(fleet, at: 90.65).reachedFast == 2)
  }

  /// The first minutes of a rollout.
  @Test func tellsOfThreeDevices() throws {
    let fleet = try StoryFleet(
      known: [(69.9, "check 3"), (70.005, "available 4")], days: [69.8, 70.02], crowd: 1)
    try OpenSummary.refresh(path: fleet.summarised.path, now: StoryFleet.at(70.01))
    try fleet.hear([(70.03, "applied 4")], other: 70.04)
    // Events that come late move the cutoff back, before the one of the summary.
    let used = try [70.02, 70.035, 70.05, 70.3].map { try answers(fleet, at: $0).used }
    #expect(used.contains(1) && used.contains(0), "\(used)")
  }

  /// Phones send what they kept: at each cutoff some events that lie before it are not there yet.
  @Test func tellsOfEventsThatComeAnHourLate() throws {
    let hour = 1.0 / 24
    let fleet = try StoryFleet(known: Self.daily(1..<90), days: (1...90).map(Double.init))
    for step in 0..<8 {
      let now = 90.1 + Double(step) * hour / 2
      if step % 3 == 0 {
        try EventLog(path: fleet.summarised.path).sort()
        try OpenSummary.refresh(path: fleet.summarised.path, now: StoryFleet.at(now))
      }
      try fleet.hear(
        [(now - hour, step == 5 ? "applied 4" : step > 5 ? "check 4" : "check 0")], other: now - hour / 60)
      #expect(try answers(fleet, at: now + hour / 4).used == 1, "\(step)")
    }
  }

  /// An attempt at a release that ended counts once it is old enough; one summary hands it to the next while it is not.
  @Test func tellsOfAttemptsAtWhatEnded() throws {
    let known: [StoryFleet.Said] = Self.daily(1..<90) + [(90.085, "downloadStarted 3")]
    let fleet = try StoryFleet(known: known, days: (1...90).map(Double.init) + [90.09])
    try OpenSummary.refresh(path: fleet.summarised.path, now: StoryFleet.at(90.1))
    for now in [90.11, 90.12] {
      try fleet.hear([], other: now - 0.001)
      try EventLog(path: fleet.summarised.path).sort()
      try OpenSummary.refresh(path: fleet.summarised.path, now: StoryFleet.at(now))
    }
    for day in [90.126, 90.128, 91.08, 91.09, 91.5] {
      try fleet.hear([], other: day - 0.0005)
      let answers = try answers(fleet, at: day)
      #expect(answers.used == 1 && answers.listedFast == 1, "\(day)")
    }
  }

  /// Whether the rollout came to a device may be known only beyond the cutoff of the summary, by its bucket or by an offer.
  @Test(arguments: [["check 0 90"], ["available 4"], ["check 0 10"], []]) func tellsWhoIsLetToHaveIt(
    _ beyond: [String]
  ) throws {
    let fleet = try StoryFleet(
      known: Self.daily(1..<90) + [(89.8, "check 0")] + beyond.map { (90.2, $0) },
      days: (1...90).map(Double.init) + [90.05, 90.3],
      percent: 40)
    for _ in 0..<2 { try OpenSummary.refresh(path: fleet.summarised.path, now: StoryFleet.at(90.1)) }
    for day in [90.15, 91, 96] {
      var answers = OpenAnswers()
      try answers.compareReach(fleet.summarised, fleet.counted, ReleaseLabel(rawValue: "4"), at: StoryFleet.at(day))
      #expect(answers.reachedFast == 1, "\(beyond) \(day)")
    }
  }

  private func answers(_ fleet: StoryFleet, at day: Double) throws -> OpenAnswers {
    var answers = OpenAnswers()
    try answers.compare(fleet.summarised, fleet.counted, ReleaseLabel(rawValue: "4"), at: StoryFleet.at(day))
    try answers.compareReleases(fleet.summarised, fleet.counted, at: StoryFleet.at(day))
    for release in ["4", "3"] {
      try answers.compareReach(fleet.summarised, fleet.counted, ReleaseLabel(rawValue: release), at: StoryFleet.at(day))
    }
    return answers
  }
}
