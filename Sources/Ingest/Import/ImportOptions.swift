public import Lifecycle

/// How to read files of events.
public struct ImportOptions: Sendable {
  public enum Format: String, CaseIterable, Sendable {
    case ndjson, csv
    case expoLog = "expo-log"
    case pushResults = "push-results"
  }

  /// nil: found out from the first line.
  public var format: Format?
  /// How to read files of another program; goes before the format.
  public var map: EventMap?
  /// The app of events that name none, and the only one that is taken.
  public var app: String?
  /// Stands in for the time of receipt of events that do not say it.
  public var now: Timestamp
  /// How many refusals of a chunk are kept with their words.
  public var rejectionLimit: Int

  public init(format: Format? = nil, app: String? = nil, now: Timestamp, rejectionLimit: Int = .max) {
    self.format = format
    self.app = app
    self.now = now
    self.rejectionLimit = rejectionLimit
  }
}

/// Some lines of a file, decoded.
public struct DecodedChunk: Sendable {
  public var decoded: Decoded
  /// Where the chunk begins, and where the next one does: what to resume from once this one is stored.
  public var start, end: Place
  /// Bytes of the file that were read so far; of a compressed file, the compressed ones.
  public var bytesRead: Int
  /// The chunk's own bytes where something in it was refused, else empty.
  var bytes: [UInt8] = []
  /// Where something was refused in a table whose first row names its columns: that row, without the line's end.
  public internal(set) var header: [UInt8] = []

  /// What was refused, as it stands in the file, without the line's end.
  public func source(of rejection: Rejection) -> [UInt8] {
    let place = rejection.place.lowerBound - start.offset..<rejection.place.upperBound - start.offset
    guard place.lowerBound >= 0, place.upperBound <= bytes.count else { return [] }
    return withoutLineEnd(bytes[place])
  }
}

func withoutLineEnd(_ text: some BidirectionalCollection<UInt8>) -> [UInt8] {
  Array(text.reversed().drop { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.reversed())
}
