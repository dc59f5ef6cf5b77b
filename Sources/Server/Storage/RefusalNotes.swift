internal import Console
internal import Store

/// Which changes between taking and refusing events are worth a line in the log: each that lasts, not each time that the free
/// space crosses its limit within seconds.
struct RefusalNotes {
  private var code: String?
  private var notedAt: ContinuousClock.Instant?

  /// Whether to say so now; what is put off is said later, where it still holds.
  mutating func isNews(_ code: String?, at now: ContinuousClock.Instant) -> Bool {
    guard code != self.code else { return false }
    if let notedAt, now - notedAt < .seconds(10) { return false }
    (self.code, notedAt) = (code, now)
    return true
  }
}

extension Service {
  /// Who finds nothing but 503 in the clients' reports finds out here why.
  func note(_ refusals: inout RefusalNotes) {
    let refusal = storage.refusal
    guard refusals.isNews(refusal?.code, at: .now) else { return }
    let space: [String: JSON] = [
      "freeBytes": .integer(storage.freeBytes), "minFreeBytes": .integer(settings.minFree),
    ]
    guard let refusal else { return journal.write(.info, "events_taken_again", space) }
    let why: [String: JSON] = ["code": .string(refusal.code), "reason": .string(refusal.message)]
    journal.write(.error, "events_refused", space.merging(why) { $1 })
  }
}
