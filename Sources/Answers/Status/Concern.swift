internal import Console
internal import Lifecycle
internal import Query
internal import Store

/// Something beside the verdicts that somebody should look at.
struct Concern: Equatable, Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case silence, channel, platform, release, publication, emulators, clocks, cutOff = "cutoff", export, backup, copy
    case devicesSilent, pushesRefused, retention, stillRun, node, app, forgetting
  }
  var kind: Kind
  private var sentence: String
  /// What to do about it.
  private(set) var command: ShellCommand?
  var message: String { command.map { "\(sentence): \($0)" } ?? sentence }
  /// The command is for another machine, and names no database.
  private let isElsewhere: Bool
  /// Of a release that is not registered as it should be.
  private let verdict: JSON

  init(
    kind: Kind, message: String, command: ShellCommand? = nil, isElsewhere: Bool = false, verdict: Verdict? = nil
  ) {
    (self.kind, sentence, self.command, self.isElsewhere) = (kind, message, command, isElsewhere)
    self.verdict =
      verdict.map { row in
        [
          "release": .string(row.release), "channel": .string(row.channel), "decision": .string(row.decision.rawValue),
          "condition": .string(row.condition.rawValue), "sentence": .string(row.reasons[0].sentence),
        ]
      } ?? .null
  }

  /// For a screen; the command is there to be pasted, and left whole.
  func lines(fitting width: Int) -> [String] {
    let whole = harmless("! \(message)")
    guard let command, whole.count > width else { return wrapped(whole, to: width) }
    return wrapped(harmless("! \(sentence):"), to: width) + ["  \(command)"]
  }

  /// - Parameter database: what was typed for `--db`: without it the command would go to another one.
  func naming(_ database: (name: String, value: String)) -> Concern {
    guard !isElsewhere else { return self }
    var copy = self
    copy.command = command?.carrying([database])
    return copy
  }

  /// So old a backup may be.
  static let oldestBackup = Milliseconds.days(7)
  /// So far a continuous copy may be behind.
  static let longestLag = Milliseconds.hours(1)

  var json: JSON { ["kind": .string(kind.rawValue), "message": .string(message), "verdict": verdict] }

  static func silence(_ app: String, _ receipt: NewestReceipt?, _ contact: Timestamp?, now: Timestamp) -> Concern? {
    AppSilence(receipt, contact, now: now).map { Concern(kind: .silence, message: "\(app): \($0.words)") }
  }

  /// In a warehouse.
  static func node(_ silence: NodeSilence) -> Concern {
    Concern(kind: .node, message: silence.words, command: ShellCommand("uptake", "warehouse", "status"))
  }

  static func node(_ differ: NodesDiffer) -> Concern {
    Concern(kind: .node, message: differ.sentence, command: differ.command, isElsewhere: true)
  }

  static func channel(_ app: String, _ stray: StrayChannels?) -> Concern? {
    // A device that once said another name is no concern for ever: `diagnose` counts how many do.
    stray.flatMap { $0.areBothHeard ? nil : $0 }.map { Concern(kind: .channel, message: "\(app): \($0.words)") }
  }

  static func apps(_ alike: AlikeApps) -> Concern { Concern(kind: .app, message: alike.words) }

  static func platform(_ app: String, _ stray: StrayPlatforms?) -> Concern? {
    stray.map { Concern(kind: .platform, message: "\(app): \($0.words)") }
  }

  static func release(_ app: String, _ stray: StrayReleases?) -> Concern? {
    stray.map { Concern(kind: .release, message: "\(app): \($0.words)") }
  }

  /// Bad releases that a channel got rid of and its devices did not.
  static func stillRun(_ app: String, _ verdict: Verdict) -> [Concern] {
    verdict.othersStillRun.map { one in
      let reach = ShellCommand("uptake", "reach").argument(one.release).option("app", app)
      return Concern(
        kind: .stillRun, message: "\(app): \(one.sentence)", command: reach.option("channel", verdict.channel))
    }
  }

  /// What `diagnose` finds of these, and says more about; channels that devices left also where they are few.
  ///
  /// - Parameters:
  ///   - isNamed: whether the command has to say which app.
  ///   - areClocksTold: whether a warning says already that clocks are wrong.
  static func outages(_ app: String, _ outages: Outages, isNamed: Bool, areClocksTold: Bool) -> [Concern] {
    let plain = ShellCommand("uptake", "diagnose")
    let diagnose = isNamed ? plain.option("app", app) : plain
    let part = outages.isSample ? " (counted of a random part of the devices)" : ""
    let left = outages.leftChannels.map {
      Concern(
        kind: .channel,
        message: "\(app): \($0.words)\(part); where the channel was renamed, register the release there as well",
        command: $0.command)
    }
    let clocks = (areClocksTold ? [] : outages.clocks).map {
      Concern(
        kind: .clocks,
        message: "\(app): \($0.sentence)\(part); what they say, crashes too, does not count before its time",
        command: diagnose)
    }
    return left + clocks
      + outages.findings.compactMap { finding in
        guard let kind = Kind(rawValue: finding.finding.rawValue) else { return nil }
        return Concern(kind: kind, message: "\(app): \(finding.sentence)\(part)", command: diagnose)
      }
  }

  /// Warnings of verdicts that are about all devices of an app.
  private static let warned: [(kind: Kind, code: String)] = [
    (.publication, Warning.stepAhead), (.publication, Warning.haltedApart),
    (.publication, Warning.inferredPublication),
    (.publication, Warning.doubtfulPublication),
    (.publication, Warning.updatedEarly), (.publication, Warning.beforeEligibility),
    (.publication, Warning.widenedAfterData), (.publication, Warning.replacedAtOnce),
    (.release, Warning.checksOnly), (.release, Warning.harmNeverTold), (.stillRun, Warning.withdrawnRelease),
    (.emulators, Warning.onlyEmulators),
    (.clocks, Warning.clocksShifted), (.cutOff, Warning.cutOffOfFew), (.cutOff, Warning.cutOffLate),
    (.channel, Warning.channelsLeftOut),
    (.channel, Warning.unregisteredChannel),
  ]

  static func warned(_ apps: [(app: String, answer: Answer<Verdict>)]) -> [Concern] {
    warned.flatMap { kind, code in
      apps.flatMap { app, answer in
        answer.warnings.filter { $0.code == code }.map {
          Concern(kind: kind, message: "\(app): \($0.what)", command: $0.command)
        }
      }
    }
  }

  static func export(_ standing: ExportStanding) -> Concern? {
    guard standing.isFailing, let failed = standing.failedAt else { return nil }
    let waiting = standing.waiting > 0 ? ", \(counted(standing.waiting, "fact")) waiting" : ""
    let why = standing.reason.map { ": \($0)" } ?? ""
    return Concern(
      kind: .export, message: "\(standing.target): the newest attempt failed at \(failed.words)\(waiting)\(why)")
  }

  static func backup(_ made: Timestamp?, now: Timestamp) -> Concern? {
    let command = ShellCommand("uptake", "backup").argument("FILE")
    guard let made else { return Concern(kind: .backup, message: "no backup was ever made", command: command) }
    guard now - made > oldestBackup else { return nil }
    return Concern(kind: .backup, message: "the last backup is \(words(now - made)) old", command: command)
  }

  /// nil also where no copy was ever kept: a backup may be all that is wanted.
  static func copy(_ standing: CopyStanding?, now: Timestamp) -> Concern? {
    guard let standing, now - standing.through > longestLag else { return nil }
    return Concern(
      kind: .copy,
      message:
        "the copy at \(standing.address) is \(words(now - standing.through)) behind: uptake replicate, or serve --replicate"
    )
  }

  static let unconfirmedCopy = Concern(
    kind: .copy,
    message:
      "a copy is to be kept, and nothing of it was ever confirmed: the log of uptake serve says why (copy_failed)")

  /// nil also where no service takes events out.
  static func retention(_ standing: RetentionStanding?, now: Timestamp) -> Concern? {
    guard let standing else { return nil }
    let doctor = ShellCommand("uptake", "doctor")
    if let since = standing.failingSince {
      let why = standing.reason.map { ": \($0)" } ?? ""
      return Concern(
        kind: .retention, message: "old events could not be taken out since \(since.words)\(why)", command: doctor)
    }
    guard standing.isLate(at: now) else { return nil }
    return Concern(
      kind: .retention,
      message: "old events were last taken out \(words(now - standing.succeeded)) ago, and are to be every"
        + " \(words(standing.every)): does uptake serve run",
      command: doctor)
  }

  /// Devices that were to be forgotten, and are not yet. Where nobody can tell, that is one more matter beside the others.
  static func forgetting(_ snapshot: borrowing Snapshot) -> Concern? {
    do { return forgetting(try snapshot.pendingForgetting()) } catch {
      return Concern(
        kind: .forgetting, message: "which devices are to be forgotten cannot be read: \(error)",
        command: ShellCommand("uptake", "doctor"))
    }
  }

  static func forgetting(_ pending: Int) -> Concern? {
    guard pending > 0 else { return nil }
    let are = pending == 1 ? "was to be forgotten and is" : "were to be forgotten and are"
    return Concern(
      kind: .forgetting, message: "\(counted(pending, "device")) \(are) not yet",
      command: ShellCommand("uptake", "doctor"))
  }

  private static func words(_ length: Milliseconds) -> String { duration(seconds: Double(length.rawValue) / 1000) }
}
