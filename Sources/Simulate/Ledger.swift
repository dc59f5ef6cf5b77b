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
    var orNewer = TimesToUpdate()
    var atPublication = Cohort()
    var bornOn = 0
    var attempts = Attempts()
  }

  struct PushCounts {
    var fates = [Int](repeating: 0, count: PushFate.allCases.count)
    /// Of deliveries, by whole minutes after sending.
    var latency: [Int32: Int] = [:]
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
    let end = Int32(truncatingIfNeeded: (world.until - world.start).rawValue / 1000)
    for spell in spells(of: device, until: end) {
      for index in pages.indices where pages[index].cell == spell.cell {
        enter(spell, device, on: index, in: world, until: end)
      }
    }
  }

  private mutating func enter(_ spell: Spell, _ device: Device, on index: Int, in world: World, until end: Int32) {
    let (page, offer) = (pages[index], world.offers[pages[index].offer])
    let view = SpellView(
      spell: spell, history: device.history, release: ReleaseNumber(offer.release),
      published: seconds(offer.publishedAt, world), halted: seconds(offer.haltedAt, world),
      superseded: seconds(page.superseded, world), until: end)
    let reached = offer.eligible(bucket: device.traits.bucket).map { seconds($0, world) }
    if spell.contact < view.published && spell.end > view.published && !view.runsAlready(at: view.published) {
      pages[index].atPublication.enter(view.update(exactly: false, from: view.published)?.at, view)
    }
    guard let reached, let eligible = view.eligible(reached: reached) else { return }
    guard !view.runsAlready(at: eligible) else { return pages[index].bornOn += 1 }
    pages[index].exactly.enter(view, exactly: true, eligible: eligible)
    pages[index].orNewer.enter(view, exactly: false, eligible: eligible)
    pages[index].attempts.enter(view, eligible: eligible)
  }

  private func seconds(_ instant: Timestamp, _ world: World) -> Int32 {
    instant == .never ? .max : Int32(truncatingIfNeeded: (instant - world.start).rawValue / 1000)
  }
}
