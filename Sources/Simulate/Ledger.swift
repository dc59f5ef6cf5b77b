import Lifecycle

/// The truth while it is gathered: one page per publication, cell by cell.
struct Ledger {
  private(set) var pages: [Page]
  /// By campaign and platform.
  private(set) var pushes: [PushCounts]
  private(set) var devices = 0
  private(set) var emulators = 0

  /// A publication on one channel and platform.
  struct Page {
    let offer: Int
    let cell: Int
    /// When the next publication in the cell takes over.
    let superseded: Timestamp
    var exactly = TimesToUpdate()
    /// As `exactly`, for everybody whom a server has heard of: who left without a word stays at risk.
    var heardOf = TimesToUpdate()
    var orNewer = TimesToUpdate()
    var atPublication = Cohort()
    var bornOn = 0
    var attempts = Attempts()
  }

  struct PushCounts {
    var fates = [Int](repeating: 0, count: PushFate.allCases.count)
    /// Of deliveries, by whole minutes after sending.
    var latency: [Int32: Int] = [:]
    /// Pushes a day old that no newer one replaced within a day, to devices that were active afterwards, or that arrived.
    var answerable = 0
    var lost = 0
  }

  init(_ world: World) {
    pages = world.offersByCell.indices.flatMap { cell in
      let offers = world.offersByCell[cell]
      return offers.indices.map { index in
        let next = index + 1 < offers.count ? world.offers[offers[index + 1]].publishedAt : .never
        return Page(offer: offers[index], cell: cell, superseded: next)
      }
    }
    pushes = Array(repeating: PushCounts(), count: world.campaigns.count * 2)
  }

  mutating func count(_ fate: PushFate, campaign: Int, cell: Int, latency: Milliseconds? = nil) {
    let index = campaign * 2 + cell % 2
    pushes[index].fates[Int(fate.rawValue)] += 1
    if let latency { pushes[index].latency[Int32(latency.rawValue / 60_000), default: 0] += 1 }
  }

  /// Enters what became of a device: when it is removed, and of all others at the end.
  mutating func close(_ device: Device, in world: World) {
    guard !device.history.isEmpty else { return }
    if let held = device.inbox.held { count(.held, campaign: Int(held.campaign), cell: device.cell()) }
    devices += 1
    guard !device.traits.emulator else { return emulators += 1 }
    countAnswerable(device, in: world)
    let end = Int32(truncatingIfNeeded: (world.until - world.start).rawValue / 1000)
    for spell in spells(of: device, until: end) {
      for index in pages.indices where pages[index].cell == spell.cell {
        let view = view(of: spell, device, on: index, in: world, until: end)
        enter(view, device, on: index, in: world)
        enterHeardOf(view, device, on: index, in: world)
      }
    }
  }

  private mutating func countAnswerable(_ device: Device, in world: World) {
    let numbers = (0..<min(world.campaigns.count, 64)).filter { device.pushed & Device.bit($0) != 0 }
    for (place, number) in numbers.enumerated() {
      let sent = device.sending(of: number, in: world)
      guard world.until - sent >= .days(1) else { continue }
      let index = number * 2 + device.cell() % 2
      let hasArrived = device.arrived & Device.bit(number) != 0
      let isReplaced =
        place + 1 < numbers.count && device.sending(of: numbers[place + 1], in: world) - sent <= .days(1)
      guard hasArrived || (!isReplaced && device.lastWord > sent) else { continue }
      pushes[index].answerable += 1
      if !hasArrived { pushes[index].lost += 1 }
    }
  }

  private func view(
    of spell: Spell, _ device: Device, on index: Int, in world: World, until end: Int32
  ) -> SpellView {
    let offer = world.offers[pages[index].offer]
    return SpellView(
      spell: spell, history: device.history, release: ReleaseNumber(offer.release),
      published: seconds(offer.publishedAt, world), halted: seconds(offer.haltedAt, world),
      superseded: seconds(pages[index].superseded, world), until: end)
  }

  private func reach(_ device: Device, on index: Int, in world: World) -> Int32? {
    world.offers[pages[index].offer].eligible(bucket: device.traits.bucket).map { seconds($0, world) }
  }

  private mutating func enter(_ view: SpellView, _ device: Device, on index: Int, in world: World) {
    let spell = view.spell
    if spell.contact < view.published && spell.end > view.published && !view.runsAlready(at: view.published) {
      pages[index].atPublication.enter(view.update(exactly: false, from: view.published)?.at, view)
    }
    guard let reached = reach(device, on: index, in: world), let eligible = view.eligible(reached: reached)
    else { return }
    guard !view.runsAlready(at: eligible) else { return pages[index].bornOn += 1 }
    pages[index].exactly.enter(view, exactly: true, eligible: eligible)
    pages[index].orNewer.enter(view, exactly: false, eligible: eligible)
    pages[index].attempts.enter(view)
  }

  private mutating func enterHeardOf(_ view: SpellView, _ device: Device, on index: Int, in world: World) {
    var view = view
    if view.spell.endedBy == .gone { (view.spell.end, view.spell.endedBy) = (view.until, .cutOff) }
    guard let reached = reach(device, on: index, in: world), let eligible = view.eligible(reached: reached),
      !view.runsAlready(at: eligible)
    else { return }
    pages[index].heardOf.enter(view, exactly: true, eligible: eligible)
  }

  private func seconds(_ instant: Timestamp, _ world: World) -> Int32 {
    instant == .never ? .max : Int32(truncatingIfNeeded: (instant - world.start).rawValue / 1000)
  }
}
