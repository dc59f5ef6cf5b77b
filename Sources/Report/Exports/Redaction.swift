internal import Console
internal import Lifecycle

/// Takes secrets out of whatever is printed, stored or logged.
///
/// A secret that may as well be a word (`public`) is one only where it stands by itself, and stays within longer words
/// (`publication`); any other is taken out wherever its bytes are.
public struct Redaction: Sendable {
  private let secrets: [String]

  /// - Parameter secrets: each also in the forms that it takes in a URL and in JSON; the longest first, as one may hold
  ///   another.
  public init(_ secrets: [String]) {
    let all = secrets.filter { !$0.isEmpty }.flatMap { [$0, percentEncoded($0), Self.quoted($0)] }
    self.secrets = Set(all).sorted { ($1.count, $0) < ($0.count, $1) }
  }

  /// As a string of JSON has it, without its quotes.
  private static func quoted(_ text: String) -> String { String(JSON.string(text).text().dropFirst().dropLast()) }

  public func callAsFunction(_ text: String) -> String {
    let bytes = secrets.reduce(Array(text.utf8)) { bytes, secret in
      let found = bytes.ranges(of: Array(secret.utf8))
      return bytes.replacing(secret.isWord ? found.filter(bytes.isByItself) : found, with: "(withheld)".utf8)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension String {
  /// `public`, `Token`: so short, and letters as words have them. A key or a token is longer, or has digits, signs or capitals within.
  fileprivate var isWord: Bool {
    utf8.count <= 16 && utf8.allSatisfy(\.isLetter) && utf8.dropFirst().allSatisfy { $0 >= UInt8(ascii: "a") }
  }
}

extension [UInt8] {
  fileprivate func replacing(_ ranges: [Range<Int>], with new: String.UTF8View) -> [UInt8] {
    var (bytes, end) = ([UInt8](), 0)
    for range in ranges {
      bytes += self[end..<range.lowerBound] + new
      end = range.upperBound
    }
    return bytes + self[end...]
  }

  /// No letter or digit touches it: one that ends an escape of a URL or of JSON (`%20`, `\n`, `\u0020`) is none.
  fileprivate func isByItself(_ range: Range<Int>) -> Bool {
    let (before, after) = (self[..<range.lowerBound], self[range.upperBound...])
    let isTouched = before.last?.isAlphanumeric ?? false
    return !(isTouched && !before.endsInEscape) && !(after.first?.isAlphanumeric ?? false)
  }
}

extension ArraySlice<UInt8> {
  fileprivate var endsInEscape: Bool {
    suffix(3).first == UInt8(ascii: "%") && suffix(2).allSatisfy(\.isHexDigit)
      || suffix(2).first == UInt8(ascii: "\\")
      || suffix(6).starts(with: "\\u".utf8) && suffix(4).allSatisfy(\.isHexDigit)
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
  private var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  fileprivate var isAlphanumeric: Bool { isLetter || isDigit }
  fileprivate var isHexDigit: Bool { isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20) }
}
