/// Why a device has no time at risk for a release. The raw values are part of every answer's JSON.
public enum Exclusion: String, CaseIterable, Sendable {
  /// Its first word after publication came from the release, or a newer one: installed from a store, or telemetry was lost.
  case bornOn = "born_on"
  /// Its first contact ever is the update itself.
  case firstSeenAtUpdate = "first_seen_at_update"
  /// It says it updated before the release was published.
  case skewExcluded = "skew_excluded"
  /// It updated before its rollout step let it.
  case beforeEligibility = "before_eligibility"
  /// It was silent for longer than the reach window all the time.
  case neverReachable = "never_reachable"
  /// The rollout did not reach its bucket, or, where nobody knows its bucket, it was never offered the release.
  case notEligible = "not_eligible"
  case emulator
}

/// Things seen on the way that a reader of the numbers should know.
public enum Remark: String, CaseIterable, Sendable {
  /// Updates within the clocks' tolerance before publication, counted as immediate.
  case skewClamped = "skew_clamped"
  /// Devices with contacts after the cutoff; these contacts are ignored.
  case future
  /// Updates without an `applied` event, known because the device later ran the release.
  case impliedByCheck = "implied_by_check"
  /// Devices whose clock starts at the first offer, because nobody knows their rollout bucket.
  case fromFirstOffer = "from_first_offer"
}
