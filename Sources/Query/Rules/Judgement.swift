import Statistics

/// What rules ask of a device, whatever it was read from; times in milliseconds.
struct DeviceRow {
  var firstContact: Int64
  var isEmulator: Bool
  var bucket: UInt8?
}

/// What one device's stay means for a release: since when it could update, whether it did, or why it does not count.
struct Judgement {
  var eligibleAt: Int64
  var exclusion: Exclusion?
  var isClamped = false
  var isImplied = false
  /// Whether somebody saw it launch the update: `applied` or `confirmed`. Else it happened between two contacts.
  var isSeen = false
  var isFromFirstOffer = false
  /// `.max` where it did not update.
  var updatedAt = Int64.max
  var cause = Cause.unknown

  @inline(__always)
  func excluded(_ reason: Exclusion) -> Judgement {
    var copy = self
    copy.exclusion = reason
    (copy.updatedAt, copy.isClamped, copy.isImplied, copy.isSeen) = (.max, false, false, false)
    return copy
  }
}
