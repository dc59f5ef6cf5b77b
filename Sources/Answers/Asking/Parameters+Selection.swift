public import Console
internal import Lifecycle
public import Query
public import Store

extension Parameters {
  /// The release, which is the first argument, filters and rules that are asked for, checked against the database.
  func chosen(_ vocabulary: Vocabulary) throws -> ReleaseScope {
    var chosen = try ReleaseScope(
      vocabulary, app: text(.app), release: ReleaseLabel(rawValue: arguments[0]), now: present)
    chosen.selection.channels = texts(.channel)
    chosen.selection.platforms = texts(.platform)
    try requireTagNames()
    chosen.selection.by = ifListed(.by(Grouping.self)) { choices($0) } ?? []
    if !mechanisms.isEmpty, !chosen.selection.by.contains(.mechanism) { chosen.selection.by.append(.mechanism) }
    try requireFewSlices(chosen.selection.by.filter(\.isSlice).map(\.rawValue))
    chosen.selection.only = try profileFilters
    chosen.selection.estimand = ifListed(.estimand) { choice($0) } ?? .speed
    chosen.selection.clock = ifListed(.startingClock) { choice($0) } ?? .own
    chosen.selection.censor = ifListed(.censor) { choice($0) } ?? .window
    chosen.selection.attribution = ifListed(.attribution) { choice($0) } ?? .delivered
    if let window = ifListed(.reachWindow, milliseconds) { chosen.selection.reachWindow = window }
    chosen.selection.level = ifListed(.confidence) { number($0) } ?? 0.95
    chosen.selection.minCell = ifListed(.minCell) { integer($0) } ?? 0
    chosen.selection.includesEmulators = ifListed(.emulators) { flag($0) } ?? false
    chosen.selection.population = population
    chosen.selection.isProvisional = ifListed(.provisional) { flag($0) } ?? false
    try chosen.check(vocabulary)
    return chosen
  }

  /// What an answer is narrowed to that is split by mechanism; empty for all.
  var mechanisms: [String] { ifListed(.mechanism) { texts($0) } ?? [] }

  /// The same for a question that is not about one release; it checks the names itself.
  public func extent(_ release: String? = nil, _ vocabulary: Vocabulary) throws -> FleetScope {
    var extent = try FleetScope(
      vocabulary, app: text(.app), release: release.map(ReleaseLabel.init(rawValue:)), now: present)
    extent.channels = ifListed(.channel) { texts($0) } ?? []
    extent.platforms = ifListed(.platform) { texts($0) } ?? []
    try requireTagNames()
    let by = ifListed(.by(Grouping.self)) { texts($0) } ?? []
    try requireFewSlices(by.filter { ProfileField(rawValue: $0) != nil })
    extent.only = try profileFilters
    extent.since = ifListed(.since, timestamp)
    extent.until = ifListed(.until, timestamp)
    try requirePeriod()
    extent.level = ifListed(.confidence) { number($0) } ?? 0.95
    extent.minCell = ifListed(.minCell) { integer($0) } ?? 0
    extent.includesEmulators = ifListed(.emulators) { flag($0) } ?? false
    extent.population = population
    return extent
  }

  /// Which devices count, by what is kept of them.
  var population: Population {
    var population = Population.everybody
    population.leavesOutImpossible = ifListed(.withoutImpossible) { flag($0) } ?? false
    population.isAttested = ifListed(.onlyAttested) { flag($0) } ?? false
    return population
  }

  /// What devices have to say of themselves.
  var profileFilters: [ProfileFilter] {
    get throws { try (ifListed(.only) { texts($0) } ?? []).map(Self.filter) }
  }

  private static func filter(_ text: String) throws -> ProfileFilter {
    guard let sign = text.firstIndex(of: "="), sign < text.index(before: text.endIndex),
      let field = ProfileField(rawValue: String(text[..<sign]))
    else { throw noFilter(text) }
    let values = text[text.index(after: sign)...].split(separator: ",").map(String.init)
    if let known = field.words, let odd = values.first(where: { !known.contains($0) && $0 != Group.unnamed }) {
      throw Failure(
        "bad_value", "no device can say \(quoted("\(field.rawValue)=\(odd)"))", place: "--where",
        hints: ["\(field.rawValue) is one of \(field == .bucket ? "0 to 99" : known.joined(separator: ", "))"],
        exit: .usage)
    }
    return ProfileFilter(field, values)
  }

  /// Of what the answer is split by: a tag that no device can have is a mistake of writing.
  private func requireTagNames() throws(Failure) {
    let tags = (ifListed(.by(Grouping.self)) { texts($0) } ?? []).filter { $0.hasPrefix(DeviceTraits.tag) }
    guard let odd = tags.first(where: { !DeviceTraits.isTagName(String($0.dropFirst(DeviceTraits.tag.count))) }) else {
      return
    }
    throw Failure(
      "bad_value", "no device can have a tag \(quoted(String(odd.dropFirst(DeviceTraits.tag.count))))", place: "--by",
      hints: ["a tag's name has letters, digits, _, - and ., at most \(DeviceTraits.longestTag) of them"], exit: .usage)
  }

  private static func noFilter(_ text: String) -> Failure {
    let fields = ProfileField.named.map(\.rawValue).joined(separator: ", ")
    return Failure(
      "bad_value", "\(quoted(text)) does not say what devices are asked for", place: "--where",
      hints: ["write FIELD=VALUE, such as osVersion=18.1; the fields are \(fields) and tag:NAME"], exit: .usage)
  }

  /// Every further one multiplies the groups.
  private func requireFewSlices(_ slices: [String], most: Int = 3) throws(Failure) {
    guard slices.count > most else { return }
    throw Failure(
      "too_many_slices", "\(slices.joined(separator: " and ")) cannot be asked for together", place: "--by",
      hints: [
        "take \(most) of them, and narrow by the others: --where \(slices[most])=VALUE"
      ], exit: .usage)
  }

  private func timestamp(_ option: Option) -> Timestamp? { instant(option).map { Timestamp(rawValue: $0.rawValue) } }
}

extension OptionValues {
  /// Nothing lies in a period that ends before it begins: its silence would say nothing of the fleet.
  public func requirePeriod() throws(Failure) {
    guard let since = ifListed(.since, { instant($0) }), let until = ifListed(.until, { instant($0) }), until <= since
    else { return }
    throw Failure(
      "bad_period", "the period ends at \(until.rfc3339), which is not after its begin, \(since.rfc3339)",
      place: "--until",
      hints: ["name the earlier time with --since; ages count back from now, such as --since 7d --until 1d"],
      exit: .usage)
  }
}
