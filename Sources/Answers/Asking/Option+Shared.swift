public import Console
internal import Lifecycle
internal import Query

/// Options that several commands share.
extension Option {
  public static let database = Option(
    "db", .text, value: "FILE|URL", dataFile: "uptake/uptake.db", environment: "UPTAKE_DB", key: "db",
    completion: "files",
    help: "The database: a file, or clickhouse://host:port/name")

  public static let quota = Option(
    "quota", .text, value: "BYTES|ROWS", environment: "UPTAKE_QUOTA",
    help: "The most that a warehouse may read for one statement of a question, such as 2GB or 5000000rows")

  public static let now = Option(
    "now", .instant, environment: "UPTAKE_NOW",
    help: "Use this time as now: the same data then give the same bytes")

  public static let app = Option(
    "app", .text, environment: "UPTAKE_APP", key: "app", group: "FILTERS", completion: "apps",
    help: "The application, by its bundle or package id")
  public static let channel = Option(
    "channel", .text, arity: .list, environment: "UPTAKE_CHANNEL", key: "channel", group: "FILTERS",
    completion: "channels", help: "Only devices on these channels")
  public static let platform = Option(
    "platform", .text, arity: .list, group: "FILTERS", completion: "platforms", help: "Only these platforms")
  static let mechanism = Option(
    "mechanism", .choice(Trigger.allCases.map(\.rawValue)), arity: .list, group: "FILTERS",
    help: "Only what these mechanisms brought, a row for each; they still compete with the others")
  public static let since = Option(
    "since", .instant, group: "FILTERS", help: "Only what happened at this time or later")
  public static let until = Option("until", .instant, group: "FILTERS", help: "Only what happened before this time")

  /// What narrows by what devices say of themselves.
  public static let only = Option(
    "where", .text, value: "FIELD=VALUE[,VALUE]", arity: .repeated, group: "FILTERS",
    help: "Only devices that say this of themselves, such as osVersion=18.1; unknown stands for those that never did")

  /// What narrows every question.
  public static let filters = [app, channel, platform]
  /// Beside them for questions about what happened, not about a release.
  public static let period = [since, until]

  /// Rows by what a question can be split by.
  public static func by<Word: RawRepresentable<String> & CaseIterable>(_ words: Word.Type, fallback: String? = nil)
    -> Option
  {
    let named = words.allCases.map(\.rawValue)
    // Of those that take any tag.
    let begun = Word(rawValue: DeviceTraits.tag + "x") == nil ? [] : [DeviceTraits.tag]
    return Option(
      "by", .choice(named + begun), arity: .list, fallback: fallback, group: "STATISTICS",
      help: "A row for each of these")
  }

  /// Filters, and what splits the answer, for questions that do both by what devices say of themselves.
  static func slicing<Word: RawRepresentable<String> & CaseIterable>(
    _ words: Word.Type, fallback: String? = nil
  ) -> [Option] {
    filters + [only, by(words, fallback: fallback)]
  }

  public static let estimand = Option(
    "estimand", .choice(["speed", "patched", "as-happened"]), fallback: "speed", key: "estimand", group: "STATISTICS",
    help: "What counts as updated: exactly this release, this or a newer one, or each as it happened")
  public static let startingClock = Option(
    "clock", .choice(["own", "release-age"]), fallback: "own", key: "clock", group: "STATISTICS",
    help: "Where time starts: when each device became eligible, or when the release was published")
  public static let censor = Option(
    "censor", .choice(["window", "last-seen", "cut-off"]), fallback: "window", key: "censor", group: "STATISTICS",
    help: "When a silent device stops counting")
  public static let reachWindow = Option(
    "reach-window", .duration, fallback: "28d", key: "reach-window", group: "STATISTICS",
    help: "How long after its last contact a device still counts as reachable")
  public static let confidence = Option(
    "ci", .number(0.5...0.999), fallback: "0.95", key: "ci", group: "STATISTICS",
    help: "The confidence level of intervals")

  public static let attribution = Option(
    "attribution", .choice(["delivered", "applied"]), fallback: "delivered", group: "STATISTICS",
    help: "Which trigger is credited: the one that delivered the release, or the one under which it was applied")
  public static let minCell = Option(
    "min-cell", .integer(0...1_000_000), fallback: "0", key: "min-cell", group: "STATISTICS",
    help: "Withhold groups of fewer devices than this")
  public static let emulators = Option("emulators", group: "STATISTICS", help: "Count emulators too")
  public static let withoutImpossible = Option(
    "without-impossible", group: "STATISTICS",
    help: "Leave devices out that sent what none can: thousands of events of one minute, a hundred releases in a day")
  public static let onlyAttested = Option(
    "only-attested", group: "STATISTICS",
    help: "Count only devices that their platform vouched for, as uptake serve --attest found")

  public static let quantiles = Option(
    "quantiles", .number(0.001...0.999), arity: .list, fallback: "0.1,0.25,0.5,0.75,0.9,0.95", group: "STATISTICS",
    help: "The shares whose time is asked for")

  /// How long answers get that draw curves.
  public static func points(_ fallback: Int) -> Option {
    Option(
      "points", .integer(0...100_000), fallback: "\(fallback)", group: "STATISTICS",
      help: "A curve of more points than this is thinned; 0 leaves curves out")
  }

  /// For questions about what goes on.
  static let provisional = Option(
    "provisional", group: "STATISTICS",
    help: "Count until now, not until the cutoff: some events of the newest hours are still to come")

  /// For questions that draw curves.
  public static let bands = Option(
    "bands", .choice(Bands.allCases.map(\.rawValue)), fallback: Bands.pointwise.rawValue, group: "STATISTICS",
    help: "What limits of curves hold for: each age by itself, or all ages together")

  /// How much a question shows, and how sure.
  public static let precision = [confidence, minCell, emulators] + population
  /// Which devices count, by what is kept of them.
  static let population = [withoutImpossible, onlyAttested]
  /// Who counts for a release, from when and how long.
  public static let rules = [estimand, startingClock, censor, attribution, reachWindow]
}
