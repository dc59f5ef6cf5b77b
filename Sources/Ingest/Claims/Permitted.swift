import Lifecycle

/// What every value of a kind must be, wherever it comes from.
extension Text {
  @inline(__always)
  func permitted(as field: Field) throws(RejectionReason) -> Text {
    guard count <= field.limit else { throw RejectionReason(code: .tooLong, field: field, detail: .text(self)) }
    return self
  }

  @inline(__always)
  func needed(as field: Field) throws(RejectionReason) -> Text {
    if isEmpty { throw RejectionReason(code: .missingField, field: field) }
    return self
  }

  /// The release that an event of a stage is about.
  @inline(__always)
  func needed(by stage: Stage) throws(RejectionReason) -> Text {
    if isEmpty, stage.releaseMeaning == .subject {
      throw RejectionReason(code: .missingField, field: .release, detail: .releaseOf(stage))
    }
    return self
  }

  /// Not longer than the field may be; cut at the last whole character.
  @inline(__always)
  func cut(to field: Field) -> Text {
    guard count > field.limit else { return self }
    var end = field.limit
    while end > 0, start[end] & 0xC0 == 0x80 { end -= 1 }
    return Text(start: start, count: end)
  }
}

extension Int64 {
  @inline(__always)
  func permitted(as field: Field, below end: Int64 = .max) throws(RejectionReason) -> Int64 {
    guard self >= 0, self < end else { throw RejectionReason(code: .outOfRange, field: field, detail: .number(self)) }
    return self
  }
}

extension Timestamp {
  @inline(__always)
  func permitted(as field: Field) throws(RejectionReason) -> Timestamp {
    guard isPermitted else { throw unlikely(field) }
    return self
  }

  private func unlikely(_ field: Field) -> RejectionReason {
    let seconds = Timestamp.permitted.lowerBound.seconds..<4_102_444_800
    return RejectionReason(
      code: .badTime, field: field, detail: seconds.contains(rawValue) ? .epochSeconds(rawValue) : .number(rawValue))
  }
}

extension Outcome {
  /// The words that events of a stage may have: how its work ended. Where it means nothing, any.
  static func permitted(of stage: Stage) -> [Outcome] {
    switch stage {
    case .pushSent: [.accepted, .rejected]
    case .wakeFinished: [.newData, .noData, .failed, .expired]
    default: allCases
    }
  }

  /// What an event of a stage means by it; nil where the stage cannot end so. A push that failed to be sent is one that the
  /// gateway did not take.
  @inline(__always)
  func meant(by stage: Stage) -> Outcome? {
    switch (stage, self) {
    case (.pushSent, .failed): .rejected
    case (.pushSent, .newData), (.pushSent, .noData), (.pushSent, .expired): nil
    case (.wakeFinished, .accepted), (.wakeFinished, .rejected): nil
    default: self
    }
  }

  @inline(__always)
  func permitted(of stage: Stage, _ fields: Fields, from reception: Reception) throws(RejectionReason) -> Outcome? {
    guard let meant = meant(by: stage) else {
      // A file may hold what an earlier version took.
      if reception.trustsReceived { return nil }
      throw RejectionReason(
        code: .unknownOutcome, field: .outcome, detail: .outcomeOf(stage, try fields.text(.outcome)))
    }
    return meant
  }
}
