internal import Ingest
internal import Lifecycle

/// How the newest release of each channel stands, in the words of `uptake verdict`'s JSON.
extension Service {
  func writeReleases(to text: inout MetricsText) {
    guard let figures = verdicts.figures else { return }
    let releases = ReleaseGauges(figures)
    releases.writeVerdicts(to: &text)
    releases.writeAdoption(to: &text)
    releases.writeFailures(to: &text)
    releases.writeApps(to: &text)
    text.gauge(
      "uptake_release_channels_left_out", "Channels that no figures are shown of, as there are more than 100",
      Double(figures.leftOut))
    text.gauge(
      "uptake_backup_last_success_timestamp_seconds", "When uptake backup last copied the database; 0 for never",
      Double(figures.lastBackup?.seconds ?? 0))
  }
}

private struct ReleaseGauges {
  typealias Row = (labels: [(String, String)], value: Double)
  private let figures: VerdictFigures
  private let releases: [(labels: [(String, String)], verdict: ReleaseStanding)]

  init(_ figures: VerdictFigures) {
    self.figures = figures
    releases = figures.standings.flatMap { standing in
      standing.releases.map {
        (labels: [("app", standing.app), ("channel", $0.channel), ("release", $0.release)], verdict: $0)
      }
    }
  }

  /// A release of which there is no such number has no row: unknown is never 0.
  private func rows(_ value: (ReleaseStanding) -> Double?) -> [Row] {
    releases.compactMap { labels, verdict in value(verdict).map { (labels: labels, value: $0) } }
  }

  func writeVerdicts(to text: inout MetricsText) {
    text.gauge(
      "uptake_release_verdict", "Always 1; decision and condition say how the newest release of the channel stands",
      rows: releases.map { labels, verdict in
        (
          labels: labels + [("decision", verdict.decision), ("condition", verdict.condition)],
          value: 1
        )
      })
    text.gauge(
      "uptake_release_published_timestamp_seconds", "When it was published",
      rows: rows { Double($0.publishedAt.seconds) })
    text.gauge(
      "uptake_release_rollout_ratio", "How far its rollout has come; of each platform where they differ",
      rows: rows { $0.rolloutPercent.map { $0 / 100 } } + releases.flatMap(platforms))
  }

  private func platforms(_ labels: [(String, String)], _ verdict: ReleaseStanding) -> [Row] {
    (verdict.rolloutByPlatform ?? []).map { (labels: labels + [("platform", $0.platform)], value: $0.percent / 100) }
  }

  func writeAdoption(to text: inout MetricsText) {
    text.gauge(
      "uptake_release_adoption_ratio", "Share of its eligible devices that updated: counted, not estimated",
      rows: rows(\.observedShare))
    text.gauge("uptake_release_eligible_devices", "Its eligible devices", rows: rows { $0.devices.map(Double.init) })
    text.gauge(
      "uptake_release_updated_devices", "Those of them that updated", rows: rows { $0.events.map(Double.init) })
  }

  func writeFailures(to text: inout MetricsText) {
    text.gauge(
      "uptake_release_failure_ratio", "Share of devices whose first attempt failed, that rolled back, or that crashed",
      rows: harms(\.share))
    text.gauge(
      "uptake_release_failure_devices", "The devices that this is a share of",
      rows: harms { $0.devices.map(Double.init) }
    )
    text.gauge("uptake_release_failure_limit_ratio", "What the share is held against", rows: harms(\.limit))
  }

  private func harms(_ value: (ReleaseStanding.Harm) -> Double?) -> [Row] {
    releases.flatMap { labels, verdict in
      verdict.harms.compactMap { harm in
        value(harm).map { (labels: labels + [("kind", harm.kind)], value: $0) }
      }
    }
  }

  func writeApps(to text: inout MetricsText) {
    func rows(_ value: (VerdictChore.Done) -> Timestamp?) -> [Row] {
      figures.standings.map { (labels: [("app", $0.app)], value: Double(value($0)?.seconds ?? 0)) }
    }
    text.gauge(
      "uptake_app_newest_contact_timestamp_seconds", "When a device of the app was last heard of; 0 for never",
      rows: rows(\.newestContact))
    text.gauge(
      "uptake_app_newest_receipt_timestamp_seconds", "When an event of a device of the app was last received",
      rows: figures.standings.compactMap { standing in
        standing.newestReceipt.map { (labels: [("app", standing.app)], value: Double($0.seconds)) }
      })
    text.gauge(
      "uptake_app_findings", "How many of its platforms are found silent, or their pushes refused",
      rows: figures.standings.flatMap { standing in
        standing.findings.sorted { $0.key < $1.key }.map { finding, count in
          (labels: [("app", standing.app), ("finding", finding)], value: Double(count))
        }
      })
    text.gauge(
      "uptake_verdict_timestamp_seconds", "When the verdicts of the app were made", rows: rows(\.judgedAt))
  }
}
