internal import Console
internal import Lifecycle
internal import Query
internal import Statistics

extension Panel {
  static let funnel = Panel(
    name: "funnel", scope: .release, options: [.title],
    purpose: "How far devices get stage by stage, with the largest gap named",
    reads: { context in context.release.map { [Exhibit($0.funnel)] } ?? [] }
  ) { context in
    guard let release = context.release, let row = release.funnel.data.first, row.devices > 0 else {
      return context.missing(
        "From offer to running", context.release, context.release?.funnel, whoDid: "reported a stage of it",
        "No device reported any stage of this release.")
    }
    let text = finding(row)
    return context.section(
      "From offer to running",
      paragraph("\(text)", of: context.picture),
      chart(row).picture(id: context.picture, title: "How far devices get with \(release.facts.label)").html,
      note(
        "At the right: who got through by the cutoff, of those that had reached the stage before at least a day earlier. Others may later: what is ready waits for the next launch."
      ),
      table(row, release).behind)
  }

  private static func chart(_ row: Funnel) -> Rows {
    let largest = row.stages.map(\.reached).max() ?? 1
    let rows = row.stages.map { stage -> Rows.Row in
      let step = row.steps.first { $0.to == stage.stage }
      let isLoss = row.largestLoss?.to == stage.stage
      let words =
        step.map { $0.share.text(.share) } ?? "\(grouped(stage.reached)) device\(stage.reached == 1 ? "" : "s")"
      return Rows.Row(
        name: "\(stage.stage) · \(grouped(stage.reached))" + (isLoss ? " · largest gap" : ""), words: words,
        value: Double(stage.reached), ink: isLoss ? .failed : .main, isMarked: isLoss)
    }
    return Rows(mark: .bar, rows: rows, ticks: [], scale: Scale(lowest: 0, highest: Double(max(largest, 1))))
  }

  private static func finding(_ row: Funnel) -> String {
    guard let loss = row.largestLoss, loss.devices > 0 else { return withoutLoss(row) }
    let step = row.steps.first { $0.to == loss.to }
    let share = step?.share.text(.share) ?? "—"
    let waiting = step?.awaitsLaunch == true ? " (some may only wait for their next launch)" : ""
    return
      "The largest gap is from \(loss.from) to \(loss.to): after a day or more \(grouped(loss.devices)) had not got there\(waiting), \(share) had."
  }

  /// Of devices that are on their way for less than a day it is not known yet who does not get through.
  private static func withoutLoss(_ row: Funnel) -> String {
    guard let worst = row.steps.max(by: { $0.latency.failed < $1.latency.failed }), worst.latency.failed > 0 else {
      return row.steps.contains { $0.entered > 0 }
        ? "All devices got through the steps that they entered at least a day ago."
        : "No device has been on its way for a day yet: where they stop cannot be said."
    }
    return
      "Most failures are from \(worst.from) to \(worst.to): \(grouped(worst.latency.failed)) so far; who else is not through is said a day after each stage."
  }

  private static func table(_ row: Funnel, _ release: ReleaseAnswers) -> DataTable {
    let rows = row.steps.map { step -> [HTML] in
      let median = step.latency.quantiles.first { $0.p == 0.5 }?.seconds
      return [
        "\(step.from) → \(step.to)", Number.count(step.entered), Number.count(step.reached),
        Number.count(step.lost), step.share.html(.share), Number.count(step.latency.failed),
        median?.html(.duration) ?? Number.none("nobody got through"),
      ]
    }
    return DataTable(
      caption:
        "Steps of \(Name(release.facts.label).shortened(to: 40)): who entered, who got through, how long it took",
      columns: [
        .init("Step"), .init("Entered"), .init("Got through"), .init("Not through"), .init("Share"), .init("Failed"),
        .init("Median time"),
      ], rows: rows)
  }
}
