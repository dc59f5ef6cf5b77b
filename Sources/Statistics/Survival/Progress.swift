import Glibc

/// Where a curve stands after some rows of its table: all sums that the rows so far have made.
///
/// Sums over many rows are kept as logarithms and compensated. A walk takes rows in; to look at a tick, a walk is taken
/// up again at the waypoint before it.
struct Progress {
  /// The next run, and how many are at risk at its row.
  private(set) var place = 0
  private(set) var atRisk: Int64 = 0
  /// Rows with an event, and the last of them.
  private(set) var steps = 0
  private(set) var tick: Tick = 0
  private(set) var events: Int64 = 0
  private(set) var lastEvents: Int64 = 0
  /// At risk at the last of them.
  private(set) var lastStepAtRisk: Int64 = 0
  /// The first event that moved S by more than a steady curve's would: see `KaplanMeier.isThin`.
  private(set) var firstThin = Tick.max
  /// The first event with fewer than `KaplanMeier.stableAtRisk` at risk.
  private(set) var firstAmongFew = Tick.max
  /// Everybody at risk had the event: S is 0 from here on.
  private(set) var isExhausted = false
  /// When they had it.
  private(set) var exhaustedAt = Tick.max
  /// Who were at risk then; all of them had the event.
  private(set) var lastAtRisk: Int64 = 0

  private var log = CompensatedSum()
  private var variance = CompensatedSum()
  private var area = CompensatedSum()
  /// With areas under S from each event to the last one: the sums of w·area and w·area², w as in Greenwood's formula.
  private var spread = 0.0
  private var squaredSpread = 0.0
  /// S, now and then set right from its logarithm.
  private(set) var running = 1.0

  /// L = sum of log(1 - d/n); minus infinity once everybody at risk had the event.
  var logSurvival: Double { isExhausted ? -.infinity : log.value }
  var survival: Double { isExhausted ? 0 : exp(log.value) }
  /// G = sum of d/(n(n - d)), so that Var S = S²G; infinity once S is 0.
  var greenwood: Double { isExhausted ? .infinity : variance.value }

  /// log S and G before the last ones at risk had the event.
  var beforeExhaustion: (log: Double, greenwood: Double) { (log.value, variance.value) }

  /// The area under S from 0 to a tick after the last event, and its variance.
  func area(to end: Tick) -> Moment {
    let left = survival * Double(end - tick)
    return Moment(
      value: area.value + left, variance: squaredSpread + left * (2 * spread + left * variance.value))
  }
}

/// Hears of every event on the way: what causes have in common is the walk's.
protocol EventListener {
  /// - Parameters:
  ///   - hazard: events of this cause per device at risk.
  ///   - step: how things stood before the row.
  mutating func note(_ kind: Int, _ count: Int64, hazard: Double, at tick: Tick, before step: IncidenceStep)
}

/// For a curve of all causes together.
struct NoListener: EventListener {
  #if THREAD_SANITIZER
    /// It is told where each access goes, and what takes no bytes lies nowhere.
    private var place: UInt8 = 0
  #endif
  @inline(__always)
  mutating func note(_ kind: Int, _ count: Int64, hazard: Double, at tick: Tick, before step: IncidenceStep) {}
}

/// How things stood before a row with events.
struct IncidenceStep {
  /// S, and G of its variance S²G.
  var survival: Double
  var greenwood: Double
  /// One over those at risk.
  var perDevice: Double
}

extension Progress {
  /// Takes in rows as long as they are not beyond a tick, a number of rows with events or a run.
  @inline(__always)
  mutating func advance<Listener: EventListener>(
    _ runs: Span<Int64>, _ causes: CauseSet, to last: Tick = .max, steps most: Int = .max,
    end: Int = .max, _ listener: inout Listener
  ) {
    let end = min(end, runs.count)
    while place < end, steps < most, Run.tick(runs[place]) <= last { addRow(runs, causes, &listener) }
  }

  @inline(__always)
  private mutating func addRow<Listener: EventListener>(
    _ runs: Span<Int64>, _ causes: CauseSet, _ listener: inout Listener
  ) {
    let n = atRisk
    var run = runs[place]
    let row = Run.tick(run)
    var (deaths, change) = (Int64(0), Int64(0))
    var before: IncidenceStep?
    repeat {
      let key = Run.key(run)
      var count = Run.count(run)
      run = next(runs)
      while Run.key(run) == key, place < runs.count {
        count += Run.count(run)
        run = next(runs)
      }
      let kind = Run.kind(ofKey: key)
      change += kind == Run.entry ? count : -count
      guard Run.isEvent(kind, causes), n > 0 else { continue }
      let step = before ?? IncidenceStep(survival: running, greenwood: variance.value, perDevice: 1 / Double(n))
      before = step
      listener.note(kind, count, hazard: Double(count) * step.perDevice, at: row, before: step)
      deaths += count
    } while Run.tick(run) == row && place < runs.count
    atRisk += change
    if let before { addStep(deaths, of: n, at: row, before) }
  }

  /// The run after the one at hand; one of no tick after the last.
  @inline(__always)
  private mutating func next(_ runs: Span<Int64>) -> Int64 {
    place += 1
    return place < runs.count ? runs[place] : -1
  }

  @inline(__always)
  private mutating func addStep(_ deaths: Int64, of n: Int64, at row: Tick, _ before: IncidenceStep) {
    let passed = running * Double(row - tick)
    squaredSpread += passed * (2 * spread + passed * before.greenwood)
    spread += passed * before.greenwood
    area.add(passed)
    (steps, tick, events) = (steps + 1, row, events + deaths)
    (lastEvents, lastStepAtRisk) = (deaths, n)
    if KaplanMeier.isThin(survival: running, atRisk: n) { firstThin = min(firstThin, row) }
    if n < KaplanMeier.stableAtRisk { firstAmongFew = min(firstAmongFew, row) }
    guard !isExhausted else { return }
    guard deaths < n else {
      (isExhausted, exhaustedAt, lastAtRisk, running) = (true, row, n, 0)
      return
    }
    let hazard = Double(deaths) * before.perDevice
    log.add(-negativeLogOfRest(hazard))
    variance.add(hazard / Double(n - deaths))
    // Products of many fractions drift; logarithms that are added with compensation do not.
    running = steps % KaplanMeier.stepsApart == 0 ? survival : running * (1 - hazard)
  }
}

/// -log(1 - x), by its series where x is small.
@inline(__always)
private func negativeLogOfRest(_ x: Double) -> Double {
  guard x < 1.0 / 128 else { return -log1p(-x) }
  let late = 1.0 / 5 + x * (1.0 / 6 + x * (1.0 / 7 + x / 8))
  return x * (1 + x * (1.0 / 2 + x * (1.0 / 3 + x * (1.0 / 4 + x * late))))
}
