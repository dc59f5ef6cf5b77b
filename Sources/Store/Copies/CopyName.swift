import CSodium
import Lifecycle

/// How a part of a copy is called: `GENERATION/SEQUENCE-TIME-c`, so that a list of names tells which moments there are.
///
/// A generation begins with every page of the database, and its parts follow one another without a gap.
struct CopyName: Hashable {
  var generation: String
  var sequence: Int
  /// What was committed before it is in the copy up to this part.
  var at: Timestamp
  /// Whether the parts up to this one are a whole state of the database.
  var completes: Bool

  var text: String {
    "\(generation)/\(Self.padded(sequence, 10))-\(Self.padded(Int(at.rawValue), 13))-\(completes ? "c" : "p")"
  }

  static func latest(_ generation: String) -> String { "\(generation)/latest" }
  /// Says which database it is a copy of.
  static func owner(_ generation: String) -> String { "\(generation)/database" }
  static let forgotten = "forgotten"

  init(generation: String, sequence: Int, at: Timestamp, completes: Bool) {
    (self.generation, self.sequence, self.at, self.completes) = (generation, sequence, at, completes)
  }

  /// nil for what is no part.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, Self.isGeneration(String(parts[0])) else { return nil }
    let words = parts[1].split(separator: "-", omittingEmptySubsequences: false)
    guard words.count == 3, let sequence = Self.number(words[0], 10), let at = Self.number(words[1], 13),
      ["c", "p"].contains(words[2])
    else { return nil }
    self.init(
      generation: String(parts[0]), sequence: sequence, at: Timestamp(rawValue: Int64(at)), completes: words[2] == "c")
  }

  /// Later ones come later in the alphabet.
  static func newGeneration(_ now: Timestamp) -> String {
    var bytes = [UInt8](repeating: 0, count: 4)
    randombytes_buf(&bytes, bytes.count)
    return padded(Int(now.rawValue), 13) + "-" + Checksum.hex(bytes)
  }

  static let generationLength = 22

  static func isGeneration(_ text: String) -> Bool {
    let words = text.split(separator: "-", omittingEmptySubsequences: false)
    return words.count == 2 && number(words[0], 13) != nil && words[1].utf8.count == 8
      && words[1].utf8.allSatisfy {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
      }
  }

  static func began(_ generation: String) -> Timestamp {
    Timestamp(rawValue: Int64(generation.prefix(13)) ?? 0)
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(max(0, number))
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  private static func number(_ text: Substring, _ width: Int) -> Int? {
    guard text.utf8.count == width, text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
      return nil
    }
    return Int(text)
  }
}
