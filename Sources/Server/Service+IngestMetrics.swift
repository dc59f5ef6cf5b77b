internal import Ingest
internal import Lifecycle
internal import Store

extension Service {
  func writeIngest(to text: inout MetricsText) {
    writeEvents(to: &text)
    writeUnstored(to: &text)
    writeDecoded(to: &text)
    writeQueue(to: &text)
    writeTail(to: &text)
  }

  private func writeEvents(to text: inout MetricsText) {
    text.counter("uptake_ingest_received_events_total", "Events received, taken or not", metrics.received.total)
    text.counter(
      "uptake_ingest_events_total", "Events stored, and events that were already stored",
      labels: ["mechanism", "kind", "outcome"], rows: storedEvents)
  }

  /// By mechanism, stage and outcome, without those that never came.
  private var storedEvents: [(labels: [String], count: Int)] {
    let tally = log.tally
    var events: [(labels: [String], count: Int)] = []
    for stage in Stage.allCases {
      for trigger in Trigger.allCases {
        for (outcome, isDuplicate) in [("accepted", false), ("duplicate", true)] {
          let count = tally.count(stage, trigger, isDuplicate: isDuplicate)
          if count > 0 { events.append(([trigger.rawValue, stage.rawValue, outcome], count)) }
        }
      }
    }
    return events
  }

  private func writeUnstored(to text: inout MetricsText) {
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
  }

  private func writeDecoded(to text: inout MetricsText) {
    text.counter(
      "uptake_ingest_ignored_fields_total", "Fields that no word of the vocabulary names", metrics.ignoredFields.total)
    text.counter(
      "uptake_ingest_clock_ahead_total", "Events from more than a day ahead, set back to their receipt",
      metrics.clockAhead.total)
    text.histogram(
      "uptake_ingest_event_lag_seconds", "From when an event happened to its receipt, where its client says when",
      metrics.lags)
  }

  private func writeQueue(to text: inout MetricsText) {
    text.histogram("uptake_ingest_commit_duration_seconds", "One transaction, with its sync", intake.metrics.commit)
    text.histogram("uptake_ingest_batch_events", "Events in one transaction", intake.metrics.batch)
    text.gauge("uptake_ingest_queue_events", "Events waiting for the disk", Double(intake.queuedEvents))
    text.gauge(
      "uptake_ingest_queue_oldest_seconds", "How long the first of them has waited", intake.oldestWait / .seconds(1))
  }

  private func writeTail(to text: inout MetricsText) {
    guard let tail = intake.tail else { return }
    text.gauge("uptake_ingest_tail_bytes", "What is stored and not sorted, as it lies in memory", Double(tail.bytes))
    text.gauge(
      "uptake_ingest_tail_limit_bytes", "From so much on requests wait until some is sorted", Double(tail.limit))
    text.histogram(
      "uptake_ingest_tail_wait_seconds", "How long a transaction waited for that", intake.metrics.tailWait)
  }
}
