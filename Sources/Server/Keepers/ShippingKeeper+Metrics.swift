internal import Ingest
internal import Lifecycle

extension Service {
  func write(_ keeper: ShippingKeeper, to text: inout MetricsText) {
    let shipping = keeper.status
    if let waiting = shipping.waiting {
      text.gauge("uptake_ship_waiting_events", "Events that the warehouse lacks", Double(waiting))
    }
    text.counter("uptake_ship_batches_total", "Batches that the warehouse acknowledged", shipping.batches)
    text.counter("uptake_ship_failures_total", "Times that shipping failed", shipping.failures)
    text.gauge("uptake_ship_failing", "1 where the newest attempt failed", shipping.isFailing ? 1 : 0)
    text.gauge(
      "uptake_ship_unforgotten_devices", "Devices that the warehouse still has to forget", Double(shipping.unforgotten))
    text.gauge(
      "uptake_ship_last_success_timestamp_seconds", "When all that waited had arrived; 0 for never since the start",
      Double(shipping.lastSuccess?.seconds ?? 0))
    guard let awaited = keeper.awaited else { return }
    text.gauge("uptake_ship_awaiting_requests", "Requests that wait for the warehouse", Double(awaited.count))
    text.counter(
      "uptake_ship_unacknowledged_requests_total", "Requests refused since the warehouse had not acknowledged in time",
      awaited.refused.total)
  }
}
