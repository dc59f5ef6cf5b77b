import CSimdjson
import Lifecycle

/// Rows in, one `Decoded` out: the way that JSON, CSV and drafts share.
struct Reading: ~Copyable {
  private var assembly: Assembly
  private var decoded: Decoded
  private let rejectionLimit: Int
  private let nothing = Fields.nothing
  private(set) var index: Int
  private let limits: BodyLimits?
  private let place: Place

  init(_ assembly: consuming Assembly, rejectionLimit: Int, _ place: Place) {
    decoded = Decoded(batch: EventBatch(received: assembly.reception.received))
    limits = assembly.reception.limits
    self.assembly = assembly
    self.rejectionLimit = rejectionLimit
    self.place = place
    index = place.index
  }

  /// Whether there is so much that nothing more is to be read.
  var isOver: Bool {
    guard let limits else { return false }
    return index - place.index > limits.events || decoded.rejected.total > limits.rejections
  }

  mutating func take(_ row: csj_row, _ cells: UnsafePointer<csj_cell>) {
    decoded.ignoredFields += Int(row.ignored)
    if row.present & Field.foreign.bit != 0 { decoded.hasForeignShapes = true }
    if row.status == csj_ok {
      do throws(RejectionReason) {
        try assembly.add(Fields(present: row.present, cells: cells, nothing: nothing))
      } catch {
        reject(row, error)
      }
    } else {
      refuse(row)
    }
    index += 1
  }

  /// - Parameter origin: where in a row of another form a field comes from, behind what is wrong with it.
  mutating func take(_ row: csj_row, _ cells: UnsafePointer<csj_cell>, origin: (Field) -> String) {
    do throws(RejectionReason) {
      try assembly.add(Fields(present: row.present, cells: cells, nothing: nothing))
    } catch {
      reject(row, error.code, field: error.field.map { "\($0)" }, error.message + (error.field.map(origin) ?? ""))
    }
    index += 1
  }

  /// - Parameter row: where in a file the draft comes from.
  mutating func take(_ draft: DraftFields, _ row: csj_row) {
    do throws(RejectionReason) { try assembly.add(draft) } catch { reject(row, error) }
    index += 1
  }

  /// Ends the body. `sentAt` is what its own object says.
  consuming func finish(sentAt: Timestamp? = nil) -> Decoded {
    if isOver { return given(up: decoded) }
    var decoded = decoded
    decoded.ignoredFields += assembly.rules.ignoredFields
    decoded.batch = assembly.finish(sentAt: sentAt, clockAhead: &decoded.clockAhead)
    return decoded
  }

  /// Without the events: they are as many as the memory of a request allows.
  private func given(up decoded: Decoded) -> Decoded {
    var rest = Decoded(batch: EventBatch(received: assembly.reception.received))
    (rest.rejections, rest.rejected) = (decoded.rejections, decoded.rejected)
    (rest.ignoredFields, rest.clockAhead) = (decoded.ignoredFields, decoded.clockAhead)
    guard let limits else { return rest }
    let first = decoded.rejections.first.map { "event \($0.index): \($0.message)" } ?? ""
    rest.excess =
      rest.rejected.total > limits.rejections
      ? .rejections(limit: limits.rejections, first: first) : .events(limit: limits.events)
    return rest
  }

  private mutating func reject(_ row: csj_row, _ refusal: RejectionReason) {
    reject(row, refusal.code, field: refusal.field.map { "\($0)" }, refusal.message)
  }

  private mutating func reject(
    _ row: csj_row, _ code: RejectionCode, field: String? = nil, _ message: @autoclosure () -> String
  ) {
    decoded.rejected.count(code)
    guard decoded.rejections.count < rejectionLimit else { return }
    decoded.rejections.append(
      Rejection(
        index: index, line: row.line == 0 ? nil : place.lines + Int(row.line),
        place: place.offset + Int(row.begin)..<place.offset + max(Int(row.begin), Int(row.end)), field: field,
        code: code,
        message: message()))
  }
}

// MARK: rows that could not be read

extension Reading {
  /// A row that is not about updates.
  mutating func skip() { decoded.skipped += 1 }

  mutating func refuse(_ row: csj_row, _ code: RejectionCode, field: String? = nil, _ message: String) {
    reject(row, code, field: field, message)
    index += 1
  }

  /// A line of a file that is longer than an event may be.
  mutating func refuseLongLine() {
    var row = csj_row()
    row.line = 1
    row.status = csj_too_large
    take(row, [])
  }

  /// A row of CSV with more or fewer values than there are columns.
  mutating func refuseWidth(_ row: csj_row, found: Int, expected: Int) {
    reject(row, .invalidCSV, "the row has \(found) values, the header \(expected)")
    index += 1
  }

  private mutating func refuse(_ row: csj_row) {
    let (code, what) = problem(row.status)
    if row.breaks { decoded.isBroken = true }
    reject(row, code, row.breaks ? "\(what) at byte \(row.begin); this event and all after it were not read" : what)
  }

  private func problem(_ status: csj_status) -> (RejectionCode, String) {
    switch status {
    case csj_not_object: (.notAnObject, "an event must be a JSON object")
    case csj_invalid_utf8: (.invalidUTF8, "the event has bytes that are not UTF-8")
    case csj_control_character:
      (.invalidJSON, "a string has a control character; write line breaks as \\n and tabs as \\t")
    case csj_bad_escape: (.invalidJSON, "a string has an escape that JSON does not know, or half a surrogate pair")
    case csj_too_deep: (.tooDeep, "the event nests more than \(NativeDecoder.depthLimit) levels")
    case csj_too_large: (.tooLarge, "the event has more than \(NativeDecoder.eventLimit) bytes")
    case csj_trailing:
      (.invalidJSON, "something follows the JSON value; send an array, or NDJSON with one event a line")
    case csj_truncated: (.truncatedJSON, "the JSON ends in the middle of a value")
    case csj_out_of_memory: (.outOfMemory, "there is no memory to read the event")
    default: (.invalidJSON, "this is not JSON")
    }
  }
}
