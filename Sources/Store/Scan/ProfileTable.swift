import Lifecycle

/// What devices said of themselves as small numbers, so that a scan compares no text.
public struct ProfileTable: Sendable {
  private let words: ProfileWords
  private let platformColumn, versionColumn, armColumn, emulatorColumn: ProfileColumn

  public init(_ vocabulary: Vocabulary) { self.init(vocabulary.profileWords) }

  init(_ words: ProfileWords) {
    self.words = words
    (platformColumn, armColumn) = (words.column(ProfileWords.platform), words.column(ProfileWords.arm))
    (versionColumn, emulatorColumn) = (words.column(ProfileWords.appVersion), words.column(ProfileWords.emulator))
  }

  /// In order of name; the first is "nobody said". So it is for the others.
  public var platforms: [String?] { platformColumn.names }
  /// Those that devices named, and nil where some named none.
  public var namedPlatforms: [String?] { words.hasSilent ? platforms : Array(platforms.dropFirst()) }
  public var versions: [String?] { versionColumn.names }
  /// Of random experiments.
  public var arms: [String?] { armColumn.names }

  /// Anything that devices say of themselves.
  public func column(_ field: ProfileField) -> DeviceColumn {
    switch field {
    case .network: .networks(NetworkColumn(words.column(DeviceTraits.network)))
    case .appVersion, .osVersion, .sdkVersion, .region, .deviceModel, .tag, .arm:
      .latest(words.column(field.rawValue))
    case .bucket: .bucket
    }
  }

  /// Those that devices named, in order of name.
  public var tags: [ProfileField] {
    words.traits.compactMap(ProfileField.init(rawValue:)).filter { !ProfileField.named.contains($0) }
      .sorted { $0.rawValue < $1.rawValue }
  }

  /// What devices said of themselves, in order of name; nil where that is not told by profiles.
  public func said(_ field: ProfileField) -> [String]? {
    switch field {
    case .bucket: nil
    case .network: NetworkColumn(words.column(DeviceTraits.network)).words
    case .appVersion, .osVersion, .sdkVersion, .region, .deviceModel, .tag, .arm:
      column(field).names.compactMap(\.self)
    }
  }

  /// The number of the platform that a device named first; of several at one instant the first by name.
  public func platform(_ devices: DeviceOutlines, _ index: Int) -> Int {
    platformColumn.number(devices, index, at: .min)
  }

  /// Likewise of one that named no more than one.
  ///
  /// - Parameter known: what it said of itself.
  func platform(_ known: some Collection<Int64>) -> Int {
    known.lazy.map(platformColumn.number).first { $0 != 0 } ?? 0
  }

  /// The number of what the device said last as of an instant, else of what it said first after it.
  @inline(__always)
  public func version(_ devices: DeviceOutlines, _ index: Int, at instant: Int64) -> Int {
    versionColumn.number(devices, index, at: instant)
  }

  /// The number of the arm that a device named last as of an instant, else first after it.
  ///
  /// - Parameters:
  ///   - limit: who first named one then or later is in none: `lateArm`.
  ///   - cutOff: what was said later is not known.
  public func arm(
    _ devices: DeviceOutlines, _ index: Int, at instant: Int64, before limit: Int64, until cutOff: Int64
  ) -> Int {
    guard let said = armColumn.latest(devices, index, at: instant, until: cutOff) else { return 0 }
    return said.early || said.at < limit ? said.number : lateArm
  }

  /// One more than those of `arms`.
  public var lateArm: Int { arms.count }

  public func isEmulator(_ devices: DeviceOutlines, _ index: Int) -> Bool {
    isEmulator(devices.profiles[devices.profileOffsets[index]..<devices.profileOffsets[index + 1]])
  }

  /// - Parameter known: what a device said of itself.
  func isEmulator(_ known: some Collection<Int64>) -> Bool {
    emulatorColumn.names.count > 1 && known.contains { emulatorColumn.name($0) == ProfileWords.isEmulator }
  }

  /// Whether what a device says of itself, after everything else that it said, gives it a platform or makes it an emulator.
  func moves(_ devices: DeviceOutlines, _ index: Int, _ profile: Int64) -> Bool {
    moves(devices.profiles[devices.profileOffsets[index]..<devices.profileOffsets[index + 1]], profile)
  }

  /// Whether it matters when a device said each of several things: of arms, and where it named several platforms.
  func asksWhen(_ known: some Collection<Int64>) -> Bool {
    known.count > 1 && (armColumn.names.count > 1 || nameSeveralPlatforms(known))
  }

  func nameSeveralPlatforms(_ known: some Collection<Int64>) -> Bool {
    known.count > 1 && Set(known.compactMap(platformColumn.name)).count > 1
  }

  /// - Parameter known: what it said of itself before.
  func moves(_ known: some Collection<Int64>, _ profile: Int64) -> Bool {
    if known.contains(profile) { return false }
    return emulatorColumn.name(profile) == ProfileWords.isEmulator
      || platformColumn.name(profile) != nil && known.allSatisfy { platformColumn.name($0) == nil }
  }
}

/// One thing that devices say of themselves.
public struct ProfileColumn: Sendable {
  /// In order of name; the first is "nobody said".
  public let names: [String?]
  /// By number of the profile.
  private let numbers: [UInt32]

  init(names: [String?], numbers: [UInt32]) { (self.names, self.numbers) = (names, numbers) }

  /// What the profile says; nil where that is nothing.
  func name(_ profile: Int64) -> String? { isKnown(profile) ? names[Int(numbers[Int(profile)])] : nil }

  /// Of what the profile says.
  func number(_ profile: Int64) -> Int { isKnown(profile) ? Int(numbers[Int(profile)]) : 0 }

  /// What each profile says, by its number.
  func map<T>(_ value: (String?) -> T) -> [T] {
    let values = names.map(value)
    return numbers.map { values[Int($0)] }
  }

  /// The number of what a device said last as of an instant, else of what it said first after it; of equals the first by
  /// name. Most devices have one profile for all their life.
  @inline(__always)
  public func number(_ devices: DeviceOutlines, _ index: Int, at instant: Int64) -> Int {
    let first = devices.profileOffsets[index]
    if devices.profileOffsets[index + 1] == first + 1 {
      let profile = devices.profiles[first]
      return isKnown(profile) ? Int(numbers[Int(profile)]) : 0
    }
    return latest(devices, index, at: instant)?.number ?? 0
  }

  /// The number of what a device had said last by an instant; 0 where it had said nothing of it.
  public func number(_ devices: DeviceOutlines, _ index: Int, saidBy instant: Int64) -> Int {
    latest(devices, index, at: instant, until: instant)?.number ?? 0
  }

  private func isKnown(_ profile: Int64) -> Bool { profile > 0 && profile < Int64(numbers.count) }

  /// - Parameter end: what was said later does not count.
  fileprivate func latest(
    _ devices: DeviceOutlines, _ index: Int, at instant: Int64, until end: Int64 = .max
  ) -> Candidate? {
    var best: Candidate?
    for sighting in devices.profileOffsets[index]..<devices.profileOffsets[index + 1] {
      let (profile, at) = (devices.profiles[sighting], devices.profileTimes[sighting])
      guard at <= end, isKnown(profile), case let number = Int(numbers[Int(profile)]), number != 0 else { continue }
      let candidate = (early: at <= instant, at: at, number: number)
      if let known = best, !Self.isBetter(candidate, known) { continue }
      best = candidate
    }
    return best
  }

  fileprivate typealias Candidate = (early: Bool, at: Int64, number: Int)

  private static func isBetter(_ one: Candidate, _ other: Candidate) -> Bool {
    if one.early != other.early { return one.early }
    if one.at != other.at { return one.early ? one.at > other.at : one.at < other.at }
    return one.number < other.number
  }
}
