/// Why an event was not taken. The words are a contract: clients and dashboards count by them.
public enum RejectionCode: String, CaseIterable, Sendable {
  case missingField = "missing_field"
  case unknownStage = "unknown_stage"
  case unknownTrigger = "unknown_trigger"
  case unknownOutcome = "unknown_outcome"
  case unknownAppState = "unknown_app_state"
  case tooLong = "too_long"
  case nulCharacter = "nul_character"
  case wrongType = "wrong_type"
  case outOfRange = "out_of_range"
  case badTime = "bad_time"
  case wrongApp = "wrong_app"
  case notAnObject = "not_an_object"
  case invalidUTF8 = "invalid_utf8"
  case invalidJSON = "invalid_json"
  case truncatedJSON = "truncated_json"
  case tooDeep = "too_deep"
  case tooLarge = "too_large"
  case invalidCSV = "invalid_csv"
  case invalidLine = "invalid_line"
  case outOfMemory = "out_of_memory"
}

/// One event that was not taken, with the place, the reason and the remedy.
public struct Rejection: Error, Equatable, Sendable {
  /// Which event of the body, from 0.
  public var index: Int
  /// Which line of the body or file, from 1; nil where the events are not lines.
  public var line: Int?
  /// The bytes of the event in the body or file.
  public var place: Range<Int>
  public var field: String?
  public var code: RejectionCode
  public var message: String

  public init(
    index: Int, line: Int? = nil, place: Range<Int> = 0..<0, field: String? = nil, code: RejectionCode, message: String
  ) {
    self.index = index
    self.line = line
    self.place = place
    self.field = field
    self.code = code
    self.message = message
  }
}

/// How many events were refused for each reason.
public struct RejectionTally: Equatable, Sendable {
  private var counts: [Int] = []
  public private(set) var total = 0

  public init() {}

  public subscript(code: RejectionCode) -> Int { counts.isEmpty ? 0 : counts[code.ordinal] }

  public mutating func count(_ code: RejectionCode, times: Int = 1) {
    if counts.isEmpty { counts = Array(repeating: 0, count: RejectionCode.allCases.count) }
    counts[code.ordinal] += times
    total += times
  }

  public mutating func add(_ other: RejectionTally) {
    for code in RejectionCode.allCases where other[code] > 0 { count(code, times: other[code]) }
  }
}

extension RejectionCode {
  fileprivate var ordinal: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
