internal import Console
internal import HTTP
internal import Ingest
internal import Lifecycle
internal import Store
internal import Locks

/// What the service counts itself, beside what the event log and the queue count.
final class ServiceMetrics: Sendable {
  let requests = Counter()
  let durations = Histogram(bounds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10])
  let bodies = Histogram(bounds: [100, 1000, 10_000, 100_000, 1_000_000, 10_000_000])
  let rejected = Counter()
  let received = Counter()
  let ignoredFields = Counter()
  let clockAhead = Counter()
  let lags = Histogram(bounds: [1, 10, 60, 300, 900, 3600, 21_600, 86_400, 604_800])
  let folds = Counter()
  /// What other systems' clients sent that holds no event or could not become one, by dialect and reason.
  let dropped = Counter()

  func observe(_ observation: Observation, route: String) {
    requests.add(1, route, Self.named(observation.method), observation.status.map(String.init) ?? "none")
    let (seconds, attoseconds) = observation.duration.components
    durations.observe(Double(seconds) + Double(attoseconds) / 1e18)
    bodies.observe(Double(observation.requestBytes))
  }

  /// Anybody can make up methods, and each would be a series for ever.
  private static func named(_ method: String) -> String {
    ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"].contains(method) ? method : "other"
  }

  func observe(_ decoded: Decoded) {
    received.add(decoded.batch.events.count + decoded.rejected.total)
    for code in RejectionCode.allCases where decoded.rejected[code] > 0 {
      rejected.add(decoded.rejected[code], code.rawValue)
    }
    ignoredFields.add(decoded.ignoredFields)
    clockAhead.add(decoded.clockAhead)
    observeLags(decoded.batch)
  }

  /// Events of clients without a clock are left out: their time is that of their receipt.
  private func observeLags(_ batch: EventBatch) {
    guard let received = batch.received else { return }
    let timeless = batch.names.firstIndex(of: Event.timeOfReceipt)
    lags.observe(
      batch.events.lazy.filter { timeless == nil || Int($0.reason.rawValue) != timeless }
        .map { Double(max(0, (received - $0.at).rawValue)) / 1000 })
  }
}

extension Service {
  /// Everything in Prometheus' text format.
  func metricsText(_ statistics: HTTP.Statistics) -> String {
    var text = MetricsText()
    text.gauge("uptake_build_info", "Always 1; the labels say what runs", 1, [("version", settings.version)])
    writeRequests(to: &text, statistics)
    writeIngest(to: &text)
    writeStorage(to: &text)
    if let reports { write(reports, to: &text) }
    if let exports { write(exports, to: &text) }
    if let shipping { write(shipping, to: &text) }
    if let copying { write(copying, to: &text) }
    if let attestation { write(attestation, to: &text) }
    writeReleases(to: &text)
    return text.text
  }

  private func writeRequests(to text: inout MetricsText, _ statistics: HTTP.Statistics) {
    text.counter(
      "uptake_http_requests_total", "Requests answered", labels: ["route", "method", "code"], metrics.requests)
    text.histogram(
      "uptake_http_request_duration_seconds", "From the request line to the last byte of the answer", metrics.durations)
    text.histogram("uptake_http_request_body_bytes", "Size of request bodies as sent", metrics.bodies)
    text.gauge("uptake_http_requests_in_flight", "Requests not answered yet", Double(statistics.inFlight))
    text.gauge("uptake_http_connections", "Open connections", Double(statistics.connections))
    text.counter(
      "uptake_http_connections_turned_away_total", "Connections of an address that had too many", statistics.turnedAway)
    text.counter(
      "uptake_http_connections_timed_out_total", "Connections ended because a deadline passed", statistics.timedOut)
    text.counter(
      "uptake_http_requests_limited_total", "Requests over the rate of an address or a key", labels: ["by"],
      limits.refused)
    text.counter(
      "uptake_http_bodies_refused_total", "Bodies that gave way while they came in, to others", labels: ["of"],
      rows: bodies.refused)
    text.gauge("uptake_bodies_waiting", "Large bodies that wait to be decoded", Double(decoding.waiting))
    text.counter(
      "uptake_bodies_refused_total", "Large bodies that gave way before they were decoded", decoding.refused.total)
    text.gauge("uptake_questions_waiting", "Questions in line", Double(desk.waiting))
    if let workers {
      text.counter(
        "uptake_question_processes_ended_total",
        "Processes that ended with the question they had, or because they took too long", labels: ["how"], workers.ended
      )
    }
    text.counter(
      "uptake_chore_processes_ended_total",
      "Processes that ended before their pages, verdicts, news or summary were made", labels: ["chore"],
      rows: [chores.ended, reports?.endedProcesses, exports?.endedProcesses].compactMap { $0?.snapshot }.flatMap { $0 })
  }

  private func writeIngest(to text: inout MetricsText) {
    text.counter("uptake_ingest_received_events_total", "Events received, taken or not", metrics.received.total)
    var events: [(labels: [String], count: Int)] = []
    let tally = log.tally
    for stage in Stage.allCases {
      for trigger in Trigger.allCases {
        for (outcome, isDuplicate) in [("accepted", false), ("duplicate", true)] {
          let count = tally.count(stage, trigger, isDuplicate: isDuplicate)
          if count > 0 { events.append(([trigger.rawValue, stage.rawValue, outcome], count)) }
        }
      }
    }
    text.counter(
      "uptake_ingest_events_total", "Events stored, and events that were already stored",
      labels: ["mechanism", "kind", "outcome"], rows: events)
    text.counter("uptake_ingest_rejected_events_total", "Events refused", labels: ["reason"], metrics.rejected)
    text.counter(
      "uptake_ingest_limited_total", "Words beyond an app's limit of distinct ones, counted as other", labels: ["kind"],
      vocabulary.limited)
    text.counter(
      "uptake_ingest_new_devices_total", "Devices that were not known before", newDevices.brought.total)
    text.counter(
      "uptake_ingest_new_devices_limited_total",
      "Requests with more new devices than their key may bring, refused to be sent again", newDevices.refused.total)
    text.counter(
      "uptake_dialect_dropped_total", "What clients of other systems sent that did not become an event",
      labels: ["dialect", "reason"], metrics.dropped)
    if let upstream = settings.upstream {
      text.gauge(
        "uptake_upstream_resting", "1 while an update server that failed is not asked", labels: ["dialect"],
        rows: upstream.resting.map { ([$0.name], $0.isResting ? 1 : 0) })
    }
    text.counter(
      "uptake_ingest_ignored_fields_total", "Fields that no word of the vocabulary names", metrics.ignoredFields.total)
    text.counter(
      "uptake_ingest_clock_ahead_total", "Events from more than a day ahead, set back to their receipt",
      metrics.clockAhead.total)
    text.histogram(
      "uptake_ingest_event_lag_seconds", "From when an event happened to its receipt, where its client says when",
      metrics.lags)
    text.histogram("uptake_ingest_commit_duration_seconds", "One transaction, with its sync", intake.metrics.commit)
    text.histogram("uptake_ingest_batch_events", "Events in one transaction", intake.metrics.batch)
    text.gauge("uptake_ingest_queue_events", "Events waiting for the disk", Double(intake.queuedEvents))
    let (seconds, attoseconds) = intake.oldestWait.components
    text.gauge(
      "uptake_ingest_queue_oldest_seconds", "How long the first of them has waited",
      Double(seconds) + Double(attoseconds) / 1e18)
    writeTail(to: &text)
  }

  private func writeTail(to text: inout MetricsText) {
    guard let tail = intake.tail else { return }
    text.gauge("uptake_ingest_tail_bytes", "What is stored and not sorted, as it lies in memory", Double(tail.bytes))
    text.gauge(
      "uptake_ingest_tail_limit_bytes", "From so much on requests wait until some is sorted", Double(tail.limit))
    text.histogram(
      "uptake_ingest_tail_wait_seconds", "How long a transaction waited for that", intake.metrics.tailWait)
  }

  private func writeStorage(to text: inout MetricsText) {
    text.gauge("uptake_sqlite_database_bytes", "Size of the database file", Double(fileSize(settings.path)))
    text.gauge("uptake_sqlite_wal_bytes", "Size of the write-ahead log", Double(fileSize(settings.path + "-wal")))
    text.gauge(
      "uptake_storage_free_bytes", "Free space on the database's disk", Double(storage.freeBytes))
    text.gauge(
      "uptake_storage_reserve_bytes", "Disk space set aside for a full disk", Double(storage.reservedBytes))
    text.gauge(
      "uptake_storage_min_free_bytes", "Below so much free space events are refused", Double(settings.minFree))
    text.gauge(
      "uptake_sqlite_reader_seconds", "How long a program has held a snapshot of the database",
      labels: ["pid", "program"],
      rows: longReaders.withLock { $0 }.map { ([String($0.process), $0.program], Double($0.seconds)) })
    text.gauge("uptake_storage_writable", "1 while events are taken", (refusal ?? failing) == nil ? 1 : 0)
    text.counter("uptake_fold_events_total", "Events folded into journeys", metrics.folds.total)
  }

  private func write(_ reports: ReportKeeper, to text: inout MetricsText) {
    let sites = reports.sites
    text.gauge(
      "uptake_report_last_success_timestamp_seconds", "The present that the pages served were made with; 0 for none",
      Double(sites?.now.seconds ?? 0))
    text.counter("uptake_report_failures_total", "Times that pages could not be made", reports.failures)
    text.gauge("uptake_report_duration_seconds", "How long the newest attempt took", reports.seconds)
    text.gauge("uptake_report_files", "Pages and data files that are served", Double(sites?.pages ?? 0))
  }
}
