internal import Answers
internal import Console
internal import Lifecycle
internal import Store

extension EventLog {
  /// Where an archive that somebody to be forgotten may be in is not there, or damaged, the service takes events all the same: what
  /// is pending is done at a later start, or when it is asked for again.
  func finishForgetting(at now: Timestamp, _ journal: ServiceLog) {
    do throws(StoreError) {
      let devices = try finishForgetting(now: now)
      if devices > 0 { journal.write(.info, "devices_forgotten_at_start", ["devices": .integer(devices)]) }
    } catch {
      journal.write(
        .error, "forgetting_failed",
        [
          "reason": .string(error.description), "hint": .string(error.hint.words),
          "effect": .string(
            "devices that were to be forgotten are not yet: once that is mended, forget them again, or start the service anew"
          ),
        ])
    }
  }
}
