import Lifecycle

enum Network: UInt8, CaseIterable { case none, cellular, wifi }

/// Network and power around a device as functions of time, so that nothing has to be remembered.
///
/// Nights are spent at home, on Wi-Fi and mostly on the charger; working days at work; in between the phone is on the
/// move. Whole slots of two hours are off line (metro, flights, flat batteries).
struct Surroundings {
  let traits: Traits
  let offline: Double

  func network(at instant: Timestamp) -> Network {
    if traits.emulator { return .wifi }
    let local = LocalTime(instant, offset: traits.offset)
    let slot = UInt64(bitPattern: instant.rawValue / 7_200_000)
    if fraction(traits.hash(slot &* 8 &+ 2)) < offline { return .none }
    if isHome(local) { return traits.homeWiFi ? .wifi : .cellular }
    if !local.isWeekend && (9..<17.5).contains(local.hour - traits.lateness / 2) && traits.workWiFi { return .wifi }
    return fraction(traits.hash(slot &* 8 &+ 3)) < 0.25 ? .wifi : .cellular
  }

  func isCharging(at instant: Timestamp) -> Bool {
    if traits.emulator { return true }
    let local = LocalTime(instant, offset: traits.offset)
    if sleeps(local) {
      return fraction(traits.hash(UInt64(bitPattern: night(local)) &* 8 &+ 4)) < traits.chargesAtNight
    }
    let slot = UInt64(bitPattern: instant.rawValue / 5_400_000)
    return fraction(traits.hash(slot &* 8 &+ 5)) < 0.12
  }

  /// Android's Doze: screen off, lying still, not on the charger, for an hour.
  func isDozing(at instant: Timestamp, lastUse: Timestamp) -> Bool {
    guard instant - lastUse > .minutes(60), !isCharging(at: instant) else { return false }
    if sleeps(LocalTime(instant, offset: traits.offset)) { return true }
    let slot = UInt64(bitPattern: instant.rawValue / 3_600_000)
    return fraction(traits.hash(slot &* 8 &+ 6)) < 0.3
  }

  /// The first quarter of an hour from an instant on that satisfies a condition; nil when none does within the limit.
  func next(
    from instant: Timestamp, within limit: Milliseconds, where satisfies: (Timestamp) -> Bool
  ) -> Timestamp? {
    var moment = instant
    while moment - instant <= limit {
      if satisfies(moment) { return moment }
      moment = Timestamp(rawValue: (moment.rawValue / 900_000 + 1) * 900_000)
    }
    return nil
  }

  private func sleeps(_ local: LocalTime) -> Bool { hour(local) < 7 || hour(local) >= 23 }

  private func isHome(_ local: LocalTime) -> Bool {
    if hour(local) < 8 || hour(local) >= 19.5 { return true }
    return local.isWeekend && fraction(traits.hash(UInt64(bitPattern: local.day) &* 8 &+ 7)) < 0.55
  }

  /// The hour as this person lives it: someone late by two hours goes to bed at one.
  private func hour(_ local: LocalTime) -> Double {
    let hour = local.hour - traits.lateness
    return hour < 0 ? hour + 24 : hour >= 24 ? hour - 24 : hour
  }

  /// The night's number is that of its morning.
  private func night(_ local: LocalTime) -> Int64 { local.hour - traits.lateness >= 23 ? local.day + 1 : local.day }
}
