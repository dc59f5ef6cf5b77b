import Lifecycle

/// A device that went on from where it was: when it was heard of last before a summary's cutoff, what it ran then, and what was
/// heard since say all that bears on what it runs at any later instant. Nothing earlier has to be read.
struct ResumedDevice {
  let device: UInt64
  let last: Int64
  let channel: Int64
  /// 0 where it never said.
  let running: Int64

  /// Whether these are numbers of a release, 0 for none, and of a channel.
  static func canRun(_ release: Int64, in channel: Int64) -> Bool {
    0...0xffff_ffff ~= release && 1..<(1 << 30) ~= channel
  }

  /// Its contacts up to then, as far as later instants go.
  var run: ContactRun {
    let claim: Claim = running == 0 ? .silent : .running
    let at = Timestamp(rawValue: last)
    return ContactRun(key: ContactRun.key(channel: channel, claim: claim, release: running), start: at, end: at)
  }
}

extension [UInt64] {
  /// All in order.
  func without(_ resumed: [ResumedDevice]) -> [UInt64] {
    var next = resumed.startIndex
    return filter { device in
      guard next < resumed.count, resumed[next].device == device else { return true }
      next += 1
      return false
    }
  }
}

extension ArraySlice<DeviceFact> {
  /// Without what was known before a resumed device's last contact, and at it.
  func after(_ resumed: [ResumedDevice]) -> ArraySlice {
    var next = resumed.startIndex
    return filter { fact in
      while next < resumed.count, resumed[next].device < fact.device { next += 1 }
      return next == resumed.count || resumed[next].device != fact.device || fact.at.rawValue > resumed[next].last
    }[...]
  }
}
