import CSimdjson
import Lifecycle

/// The cells of one event of a native body, or of a row of CSV.
struct Fields {
  let present: UInt64
  let cells: UnsafePointer<csj_cell>

  /// What a missing text is.
  let nothing: Text
  static let nothing = Text(constant: "")

  @inline(__always)
  func has(_ field: Field) -> Bool { present & field.bit != 0 }

  /// Empty where the field is missing, null or an empty string.
  @inline(__always)
  func text(_ field: Field) throws(RejectionReason) -> Text { try text(field, orNone: nothing) }

  /// `none` where the field is missing or null.
  @inline(__always)
  func text(_ field: Field, orNone none: Text) throws(RejectionReason) -> Text {
    guard has(field) else { return none }
    return try anyText(field).permitted(as: field)
  }

  /// The reason as sent, cut where it is over-long.
  @inline(__always)
  func reason(orNone none: Text) throws(RejectionReason) -> Text {
    guard has(.reason) else { return none }
    let reason = try anyText(.reason)
    return reason.isEmpty ? none : reason.cut(to: .reason)
  }

  /// A word of a closed vocabulary, by its place there.
  @inline(__always)
  func word(_ field: Field, in words: WordTable, else code: RejectionCode) throws(RejectionReason) -> Int? {
    guard has(field) else { return nil }
    let text = try anyText(field)
    if text.isEmpty { return nil }
    guard let place = words.find(text) else { throw RejectionReason(code: code, field: field, detail: .text(text)) }
    return place
  }

  @inline(__always)
  func integer(_ field: Field, below end: Int64 = .max) throws(RejectionReason) -> Int64? {
    guard has(field) else { return nil }
    let cell = cells[field.rawValue]
    var number = cell.integer
    if cell.kind != csj_integer {
      if cell.kind == csj_big { throw RejectionReason(code: .outOfRange, field: field) }
      guard cell.kind == csj_decimal, let whole = Int64(exactly: cell.decimal) else {
        throw RejectionReason(code: .wrongType, field: field, detail: .found(cell.kind))
      }
      number = whole
    }
    return try number.permitted(as: field, below: end)
  }

  @inline(__always)
  func boolean(_ field: Field) throws(RejectionReason) -> Bool? {
    guard has(field) else { return nil }
    let cell = cells[field.rawValue]
    guard cell.kind == csj_boolean else {
      throw RejectionReason(code: .wrongType, field: field, detail: .found(cell.kind))
    }
    return cell.integer != 0
  }

  /// An object as it stands in the body; empty where the field is missing.
  @inline(__always)
  func object(_ field: Field) throws(RejectionReason) -> Text {
    guard has(field) else { return nothing }
    let cell = cells[field.rawValue]
    guard cell.kind == csj_object else {
      throw RejectionReason(code: .wrongType, field: field, detail: .found(cell.kind))
    }
    return Text(start: cell.text, count: Int(cell.length))
  }

  @inline(__always)
  func time(_ field: Field) throws(RejectionReason) -> Timestamp? {
    guard has(field) else { return nil }
    let cell = cells[field.rawValue]
    if cell.kind == csj_string, cell.length == 0 { return nil }
    let number = cell.kind == csj_integer ? cell.integer : try otherTime(cell, field)
    return try Timestamp(rawValue: number).permitted(as: field)
  }

  /// Of any length.
  @inline(__always)
  private func anyText(_ field: Field) throws(RejectionReason) -> Text {
    let cell = cells[field.rawValue]
    guard cell.kind == csj_string else { throw RejectionReason(notText: cell.kind, field) }
    return Text(start: cell.text, count: Int(cell.length))
  }
}

// MARK: times that are no whole number

extension Fields {
  private func otherTime(_ cell: csj_cell, _ field: Field) throws(RejectionReason) -> Int64 {
    switch cell.kind {
    case csj_string: return try writtenTime(Text(start: cell.text, count: Int(cell.length)), field)
    case csj_big: throw RejectionReason(code: .badTime, field: field, detail: .epochBeyond)
    case csj_decimal:
      guard let whole = Int64(exactly: cell.decimal) else {
        throw RejectionReason(code: .badTime, field: field, detail: .epochFraction)
      }
      return whole
    default: throw RejectionReason(notText: cell.kind, field)
    }
  }

  private func writtenTime(_ text: Text, _ field: Field) throws(RejectionReason) -> Int64 {
    do throws(TimestampProblem) {
      return try Timestamp(rfc3339: text.bytes.span).rawValue
    } catch {
      switch error {
      case .missingZone: throw RejectionReason(code: .badTime, field: field, detail: .noZone)
      case .malformed:
        let isNumber = text.bytes.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        throw RejectionReason(code: .badTime, field: field, detail: isNumber ? .epochDigits(text) : .text(text))
      }
    }
  }
}
