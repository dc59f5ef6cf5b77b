internal import HTTP
internal import Ingest
internal import Lifecycle
internal import Locks

extension Service {
  /// Everything in Prometheus' text format.
  func metricsText(_ statistics: HTTP.Statistics) -> String {
    var text = MetricsText()
    text.gauge("uptake_build_info", "Always 1; the labels say what runs", 1, [("version", settings.version)])
    text.gauge(
      "process_start_time_seconds", "When the service started", Double(metrics.startedAt.rawValue / 1000))
    writeRequests(to: &text, statistics)
    writeIngest(to: &text)
    writeStorage(to: &text)
    if let reports { write(reports, to: &text) }
    if let exports { write(exports, to: &text) }
    if let shipping { write(shipping, to: &text) }
    if let copying { write(copying, to: &text) }
    if let attestation { write(attestation, to: &text) }
    write(retention.withLock { $0 }, to: &text)
    writeReleases(to: &text)
    return text.text
  }

  private func writeRequests(to text: inout MetricsText, _ statistics: HTTP.Statistics) {
    text.counter(
      "uptake_http_requests_total", "Requests answered", labels: ["route", "method", "code"], metrics.requests)
    text.histogram(
      "uptake_http_request_duration_seconds", "From the request line to the last byte of the answer", metrics.durations)
    text.histogram("uptake_http_request_body_bytes", "Size of request bodies as sent", metrics.bodies)
    writeConnections(to: &text, statistics)
    writeLimits(to: &text)
    writeProcesses(to: &text)
  }

  private func writeConnections(to text: inout MetricsText, _ statistics: HTTP.Statistics) {
    text.gauge("uptake_http_requests_in_flight", "Requests not answered yet", Double(statistics.inFlight))
    text.gauge("uptake_http_connections", "Open connections", Double(statistics.connections))
    text.counter(
      "uptake_http_connections_turned_away_total", "Connections of an address that had too many", statistics.turnedAway)
    text.counter(
      "uptake_http_connections_timed_out_total", "Connections ended because a deadline passed", statistics.timedOut)
    text.gauge(
      "uptake_tls_certificate_expiry_timestamp_seconds", "When the certificate in force ends; 0 for none",
      Double(certificate.expiry?.seconds ?? 0))
  }

  /// What was refused or waits, so that one client cannot take everything.
  private func writeLimits(to text: inout MetricsText) {
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
  }

  private func writeProcesses(to text: inout MetricsText) {
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
