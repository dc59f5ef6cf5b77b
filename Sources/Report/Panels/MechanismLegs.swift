internal import Console
internal import Query
internal import Statistics

/// The two legs of an update, and what is known of ways and experiments.
extension Panel {
  static let mechanismLegs = Panel(
    name: "mechanism-legs", scope: .site, place: .wide, options: [.title],
    purpose: "From publication to ready, the mechanism's part, and from ready to applied, the user's",
    reads: { $0.readsMechanisms }
  ) { context in
    guard let row = context.mechanisms, row.legs.contains(where: { $0.delivered > 0 }) else { return .empty }
    let legs = row.legs.filter { $0.delivered > 0 }
    let text = finding(legs)
    let without: HTML =
      row.withoutDelivery > 0
      ? note(
        """
        \(Number.counted(row.withoutDelivery, "update")) \(row.withoutDelivery == 1 ? "is" : "are") in neither leg: nobody \
        reported when \(row.withoutDelivery == 1 ? "it" : "they") became ready.
        """)
      : ""
    return context.section(
      "Delivery and activation", paragraph("\(text)", of: context.picture),
      launches(legs, context),
      note(
        "A background run only brings a release; it runs once the app is started again. The first leg is the mechanism’s doing, the second is how soon users come back.\(row.polled == nil ? "" : " Launches are known from checks only: it ends at the check, and is shorter.")"
      ),
      table(legs).html, without)
  }

  private static func half(_ leg: Mechanisms.Leg) -> Double? {
    leg.publishedToReady.amongDelivered.first { $0.p == 0.5 }?.seconds
  }
  private static func launch(_ leg: Mechanisms.Leg, _ p: Double) -> Estimate? {
    leg.readyToApplied.quantiles.first { $0.p == p }?.seconds
  }

  private static func finding(_ legs: [Mechanisms.Leg]) -> String {
    let known = legs.compactMap { leg in half(leg).map { (leg: leg, seconds: $0) } }.sorted { $0.seconds < $1.seconds }
    guard let first = known.first else { return "No mechanism has made the release ready yet." }
    let words = known.map { "\($0.leg.mechanism.mechanismWords) \(Console.duration(seconds: $0.seconds))" }
    guard known.count > 1 else {
      let after = Console.duration(seconds: first.seconds)
      return "Half of what \(first.leg.mechanism.mechanismWords) brought was ready after \(after)."
    }
    return "Half of what each brought was ready after: " + words.joined(separator: ", ") + "."
  }

  /// The user's leg as dots with intervals, on one axis.
  private static func launches(_ legs: [Mechanisms.Leg], _ context: PanelContext) -> HTML {
    let known = legs.filter { launch($0, 0.5)?.value != nil }
    let top = known.compactMap { leg in launch(leg, 0.5).flatMap { $0.hi ?? $0.value } }.max() ?? 0
    guard !known.isEmpty, top > 0 else { return "" }
    let ticks = Ticks.labelledAges(to: top, atMost: 6)
    let rows = known.map { leg -> Rows.Row in
      let median = launch(leg, 0.5)
      return Rows.Row(
        name: "brought by \(leg.mechanism.mechanismWords)", words: median?.text(.duration) ?? "", value: median?.value,
        lo: median?.lo, hi: median?.hi, ink: Ink(mechanism: leg.mechanism))
    }
    return "<h3>From ready until half had started it</h3>"
      + Rows(mark: .dot, rows: rows, ticks: ticks, scale: Scale(lowest: 0, highest: max(top, ticks.last?.value ?? top)))
      .picture(id: context.picture, title: "Time from ready to applied, by what brought it").html
  }

  private static func table(_ legs: [Mechanisms.Leg]) -> DataTable {
    let horizon = legs.first.map { Console.age(seconds: $0.readyToApplied.restrictedMean.horizonSeconds) } ?? ""
    return DataTable(
      caption: "Publication to ready, then ready to applied, by what brought the release, with 95% intervals",
      columns: [
        .init("Brought by"), .init("Made ready"), .init("Half of these ready after"), .init("Nine in ten after"),
        .init("Then applied"), .init("Median until applied"), .init("Mean wait within \(horizon)"),
      ],
      rows: legs.map { leg in
        let nine = leg.publishedToReady.amongDelivered.first { $0.p == 0.9 }?.seconds
        return [
          "\(leg.mechanism.mechanismWords)", Number.count(leg.delivered),
          half(leg).map { Number.duration($0) } ?? Number.none("not reached yet"),
          nine.map { Number.duration($0) } ?? Number.none("not reached yet"), Number.count(leg.readyToApplied.applied),
          launch(leg, 0.5)?.html(.duration) ?? Number.none("no launch"),
          leg.readyToApplied.restrictedMean.seconds.html(.duration),
        ]
      })
  }

  static let mechanismArms = Panel(
    name: "mechanism-arms", scope: .site, place: .wide, options: [.title],
    purpose: "The arms of a random hold-out against each other, where the app marks them", reads: { $0.readsMechanisms }
  ) { context in
    guard let row = context.mechanisms else { return .empty }
    guard let experiment = row.experiment else {
      return context.missing(
        "Does pushing help?",
        "Nobody knows yet: no device reports an <code>arm</code>. Hold pushes back from a random few, and this section says what pushing changes."
      )
    }
    return context.section(
      "Does pushing help?",
      note(meaning(experiment)),
      experiment.arms.isEmpty ? "" : arms(experiment, context.site.smallestGroup).known.html,
      experiment.comparisons.isEmpty || experiment.isTimedByChecks ? "" : comparisons(experiment).known.html,
      note("Ages that no device was followed to are left out.\(armless(experiment))"))
  }

  private static func meaning(_ experiment: Experiment) -> HTML {
    if let off = experiment.warnings.first { return "\(off.sentence)" }
    if experiment.isTimedByChecks {
      return """
        Many updates are seen at checks alone, and who is woken more often checks more often: no difference here tells what pushing \
        changes. It can be told once all devices say <code>applied</code> at their first start with an update.
        """
    }
    return """
      Devices were assigned at random, so a difference whose interval leaves out 0 is an effect of the assignment, however often \
      this page is looked at.
      """
  }

  private static func armless(_ experiment: Experiment) -> HTML {
    guard let without = experiment.withoutArm, without > 0 else { return "" }
    let late: HTML =
      experiment.namedLate.map { $0 > 0 ? ": \(Number.count($0)) named theirs only with the release, or later" : "" }
      ?? ""
    return
      " \(Number.counted(without, "device")) \(without == 1 ? "is" : "are") in no arm, and in no comparison\(late)."
  }

  private static func arms(_ experiment: Experiment, _ least: Int) -> DataTable {
    let ages = experiment.arms.first?.ages.map(\.seconds) ?? []
    let doubt = experiment.doubt
    return DataTable(
      caption: "Adoption by age in each arm, \(doubt.map { "without intervals: \($0.words)" } ?? "with 95% intervals")",
      isStacked: true,
      columns: [.init("Arm"), .init("Devices"), .init("Updated")] + ages.map { .init(Console.age(seconds: $0)) }
        + [.init("Median time")],
      rows: experiment.arms.map { arm in
        guard let devices = arm.devices, let events = arm.events else {
          return [Name(arm.arm).html(), "&lt;\(least)", "—"] + arm.ages.map { _ in "—" } + ["— <i>too few</i>"]
        }
        return [Name(arm.arm).html(), Number.count(devices), Number.count(events)]
          + arm.ages.map { $0.share.html(.share, because: doubt) } + [arm.median.html(.duration, because: doubt)]
      })
  }

  private static func comparisons(_ experiment: Experiment) -> DataTable {
    let ages = experiment.comparisons.first?.shares.map(\.seconds) ?? []
    return DataTable(
      caption:
        "Adoption of each arm less \(Name(experiment.reference ?? "").shortened(to: 30)), with 95% intervals for all looks together",
      isStacked: true,
      columns: [.init("Arm")] + ages.map { .init(Console.age(seconds: $0)) },
      rows: experiment.comparisons.map { row in
        [Name(row.arm).html()] + row.always.map { $0.share.html(.points) }
      })
  }
}

extension Estimate {
  /// - Parameter doubt: why no estimate of the table has limits. Said in each cell it needs more room than a phone has.
  fileprivate func html(_ measure: Measure, because doubt: Unestimable?) -> HTML {
    doubt != nil && reason == doubt && value != nil ? valueHTML(measure) : html(measure)
  }
}

extension Experiment {
  /// Why the arms have no limits, where that is so at every age.
  fileprivate var doubt: Unestimable? {
    let shares = arms.flatMap { $0.ages.map(\.share) }.filter { $0.value != nil }
    guard let reason = shares.first?.reason, reason == .timedByChecks || reason == .clockFromOffer,
      shares.allSatisfy({ $0.lo == nil && $0.hi == nil })
    else { return nil }
    return reason
  }

  fileprivate var isTimedByChecks: Bool {
    comparisons.contains { $0.always.contains { $0.share.reason == .timedByChecks } }
  }
}
