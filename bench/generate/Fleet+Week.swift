import Lifecycle

extension Fleet {
  /// Everything that happens between the publications of a release and of the next, in order of time.
  mutating func moments(of release: Int) -> [Moment] {
    var moments: [Moment] = []
    moments.reserveCapacity(devices * 6)
    for device in 0..<devices { add(device, release, to: &moments) }
    moments.sort()
    return moments
  }

  private mutating func add(_ device: Int, _ release: Int, to moments: inout [Moment]) {
    let traits = mixed(UInt64(device))
    // One device in five is installed on the way; one in ten falls silent for good.
    let joins = traits % 5 == 0 ? Int(traits >> 8 % 20) : 0
    let leaves = traits % 10 == 1 ? Int(traits >> 16 % 20) : .max
    guard release >= joins, release < leaves else { return }
    var chance = Chance(UInt64(device) << 8 | UInt64(release))
    var day = Day(device: device, release: release, context: context(device, release, traits))
    day.at = Self.published(release).rawValue
    day.runs = Int(running[device])
    if release == joins { return install(&day, &chance, to: &moments) }
    guard chance.share() < 0.86 else {
      if chance.share() < 0.5 { day.add(.check, .bgRefresh, after: chance.within(.days(6)), to: &moments) }
      return
    }
    update(&day, &chance, isStaged: release % 4 == 3, to: &moments)
  }

  /// iOS and Android by the device's number; versions rise with the weeks, at each device's own.
  private func context(_ device: Int, _ release: Int, _ traits: UInt64) -> UInt8 {
    let version = min(Self.versions.count - 1, (release + Int(traits >> 24 % 10)) / 8)
    return UInt8((traits >> 40 % 5 < 2 ? 0 : 1) * Self.versions.count + version)
  }

  /// From a store, with the newest release in it.
  private mutating func install(_ day: inout Day, _ chance: inout Chance, to moments: inout [Moment]) {
    running[day.device] = UInt8(day.release)
    day.runs = day.release
    day.add(.check, .foreground, after: chance.within(.days(5)), to: &moments)
  }

  private mutating func update(_ day: inout Day, _ chance: inout Chance, isStaged: Bool, to moments: inout [Moment]) {
    let bucket = Fleet.bucket(day.device)
    if isStaged {
      day.at += bucket < 10 ? 0 : bucket < 50 ? Milliseconds.hours(24).rawValue : Milliseconds.hours(48).rawValue
    }
    let kind = chance.share()
    let trigger: Trigger = kind < 0.3 ? .silentPush : kind < 0.65 ? .bgRefresh : .foreground
    if trigger == .silentPush { day.add(.pushSent, .silentPush, after: chance.within(.minutes(5)), to: &moments) }
    // Most are quick, some take days.
    let days = chance.share()
    let wait = days * days * days * (trigger == .silentPush ? 1.5 : trigger == .bgRefresh ? 3 : 4)
    day.at += Int64(wait * Double(Milliseconds.days(1).rawValue)) + chance.within(.minutes(20))
    if trigger == .silentPush { day.add(.pushReceived, trigger, after: 0, to: &moments) }
    if chance.share() < 0.9 { day.add(.check, trigger, after: 900, to: &moments) }
    if chance.share() < 0.6 { day.add(.available, trigger, after: 700, to: &moments) }
    day.add(.downloadStarted, trigger, after: 300 + chance.within(.seconds(5)), to: &moments)
    if chance.share() < 0.02 {
      day.add(.failed, trigger, after: chance.within(.minutes(2)), to: &moments)
      if chance.share() < 0.5 { return }
      day.at += chance.within(.hours(8))
    }
    day.add(.downloadCompleted, trigger, after: 2000 + chance.within(.minutes(1)), to: &moments)
    day.add(.ready, trigger, after: 1500, to: &moments)
    if trigger != .foreground, chance.share() < 0.4 { day.add(.wakeFinished, trigger, after: 40, to: &moments) }
    day.add(
      .applied, .foreground, after: chance.within(trigger == .foreground ? .minutes(10) : .hours(30)), to: &moments)
    if chance.share() < 0.004 {
      day.add(.rolledBack, .foreground, after: chance.within(.hours(3)), to: &moments)
    } else {
      running[day.device] = UInt8(day.release)
    }
  }

  /// Told by its number, so that who sends events of the same devices names the same.
  static func bucket(_ device: Int) -> UInt8 { UInt8(mixed(UInt64(device)) % 100) }
}

/// Where one device is in its week.
struct Day {
  let device: Int
  let release: Int
  let context: UInt8
  var at: Int64 = 0
  /// What the device says that it runs.
  var runs = 0

  init(device: Int, release: Int, context: UInt8) {
    self.device = device
    self.release = release
    self.context = context
  }

  mutating func add(_ stage: Stage, _ trigger: Trigger, after wait: Int64, to moments: inout [Moment]) {
    at += wait
    moments.append(
      Moment(
        at: at, device: UInt32(device), release: UInt8(stage == .check ? runs : release), stage: stage,
        trigger: trigger,
        context: context))
  }
}
