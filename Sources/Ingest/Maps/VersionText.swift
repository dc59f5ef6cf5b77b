/// Finds the version in the name of a file or in an address: `/dl/Demo-2.0.0-mac.zip` is 2.0.0.
enum VersionText {
  /// The first of the last part of a path, parameters left out: digits with dots between them, and the name of a
  /// pre-release behind (`2.1.0-beta.3`). nil where there is none.
  static func find(in text: String) -> String? {
    let path = text.prefix { $0 != "?" && $0 != "#" }.percentDecoded()
    let name = Array(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...].utf8)
    var start = 0
    while start < name.count {
      guard isDigit(name[start]) else {
        start += 1
        continue
      }
      let end = numbersEnd(name, start)
      if name[start..<end].contains(UInt8(ascii: ".")) {
        return String(decoding: name[start..<preReleaseEnd(name, end)], as: UTF8.self)
      }
      start = end
    }
    return nil
  }

  private static let preReleases = ["alpha", "beta", "rc", "pre", "preview", "dev", "canary", "nightly", "next"]

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 48 <= 9 }

  /// Behind `2.0.0`; a dot counts where a digit follows.
  private static func numbersEnd(_ name: [UInt8], _ start: Int) -> Int {
    var end = start
    while end < name.count {
      let isDot = name[end] == UInt8(ascii: ".") && end + 1 < name.count && isDigit(name[end + 1])
      guard isDigit(name[end]) || isDot else { break }
      end += 1
    }
    return end
  }

  /// Behind `-beta.3` where that follows.
  private static func preReleaseEnd(_ name: [UInt8], _ end: Int) -> Int {
    guard end < name.count, name[end] == UInt8(ascii: "-") else { return end }
    let word = name[(end + 1)...].prefix { $0 | 0x20 &- 97 < 26 }
    guard preReleases.contains(String(decoding: word, as: UTF8.self).lowercased()) else { return end }
    let behind = word.endIndex
    let isNumbered = behind + 1 < name.count && name[behind] == UInt8(ascii: ".") && isDigit(name[behind + 1])
    return isNumbered ? numbersEnd(name, behind + 1) : numbersEnd(name, behind)
  }
}
