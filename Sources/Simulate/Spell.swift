import Lifecycle

/// One device on one channel, from its first contact until it leaves. Seconds since the scenario's start.
struct Spell {
  var cell: Int
  var contact: Int32
  var end: Int32
  var endedBy: Leaving
}

/// Why a device that had not updated stopped being at risk.
enum Leaving: String, CaseIterable { case cutOff, superseded, switched, gone }

/// The spells in a device's history; a stretch without any contact is none.
func spells(of device: Device, until end: Int32) -> [Spell] {
  var (spells, open): ([Spell], Spell?) = ([], nil)
  func close(_ at: Int32, _ leaving: Leaving) {
    if var spell = open {
      (spell.end, spell.endedBy) = (at, leaving)
      spells.append(spell)
    }
    open = nil
  }
  for milestone in device.history {
    switch milestone.kind {
    case .contact:
      let cell = World.cell(channel: milestone.detail, platform: device.traits.platform)
      open = Spell(cell: cell, contact: milestone.seconds, end: end, endedBy: .cutOff)
    case .switched: close(milestone.seconds, .switched)
    case .ended: close(milestone.seconds, .gone)
    case .installed, .started, .failed, .ready, .applied, .rolledBack, .crashed: break
    }
  }
  close(end, .cutOff)
  return spells
}

/// A spell seen from one release.
struct SpellView {
  var spell: Spell
  let history: [Milestone]
  let release: ReleaseNumber
  let published: Int32
  let halted: Int32
  let superseded: Int32
  let until: Int32

  /// The latest of publication, first contact and rollout step; nil when the device could never have it in this spell.
  ///
  /// A rollout that was halted takes no further steps; who is in it stays in it.
  func eligible(reached: Int32) -> Int32? {
    let eligible = max(published, spell.contact, reached)
    return reached < halted && eligible < min(spell.end, superseded, until) ? eligible : nil
  }

  func runsAlready(at instant: Int32) -> Bool {
    var running: ReleaseNumber = 0
    for milestone in history where milestone.seconds < instant {
      if milestone.kind == .applied { running = milestone.release }
      if milestone.kind == .rolledBack { running = 0 }
    }
    return running >= release
  }

  /// When the release, or with `exactly` false it or a newer one, was first applied within the spell.
  func update(exactly: Bool, from start: Int32) -> (at: Int32, mechanism: UInt8)? {
    let limit = exactly ? min(spell.end, superseded) : spell.end
    guard
      let applied = history.first(where: {
        $0.kind == .applied && $0.seconds >= start && $0.seconds < limit
          && (exactly ? $0.release == release : $0.release >= release)
      })
    else { return nil }
    return (applied.seconds, trigger(ofReady: applied.release))
  }

  func first(_ kind: Milestone.Kind) -> Milestone? {
    history.first { $0.kind == kind && $0.release == release && $0.seconds >= spell.contact && $0.seconds < spell.end }
  }

  private func trigger(ofReady release: ReleaseNumber) -> UInt8 {
    history.first { $0.kind == .ready && $0.release == release }?.detail ?? Trigger.unknown.code
  }

  /// When a device that does not update leaves, and why.
  func leaving(exactly: Bool) -> (at: Int32, why: Leaving) {
    let next = exactly ? superseded : .max
    let first = min(spell.end, next, until)
    return (first, first == spell.end ? spell.endedBy : first == next ? .superseded : .cutOff)
  }
}
