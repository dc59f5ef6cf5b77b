/// The request headers that the configuration names, copied once, read by name without regard to case.
public struct Headers: Sendable {
  private struct Entry {
    var name: Int
    var value: Range<Int>
  }
  /// Lower case, shared by all requests of a server.
  private let names: [String]
  private var entries: [Entry] = []
  private var values: [UInt8] = []

  init(kept names: [String]) {
    self.names = names
    entries.reserveCapacity(6)
    values.reserveCapacity(200)
  }

  /// For tests of handlers: name and value pairs.
  public init(_ pairs: [(String, String)] = []) {
    names = pairs.map { $0.0.lowercased() }
    for (index, pair) in pairs.enumerated() { pair.1.utf8.withContiguousStorageIfAvailable { append($0, at: index) } }
  }

  private mutating func append(_ value: UnsafeBufferPointer<UInt8>, at name: Int) {
    let start = values.count
    values.append(contentsOf: value)
    entries.append(Entry(name: name, value: start..<values.count))
  }

  /// Keeps the value if the name is one of those that the configuration wants.
  mutating func keep(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
    guard let index = names.firstIndex(where: { equalIgnoringCase(name, lowercased: $0) }) else { return }
    let end = value.lastIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }.map { $0 + 1 } ?? 0
    append(UnsafeBufferPointer(rebasing: value[..<end]), at: index)
  }

  /// All values of that name in the order they were sent.
  public func all(_ name: String) -> [String] {
    let name = name.lowercased()
    return entries.filter { names[$0.name] == name }.map { String(decoding: values[$0.value], as: UTF8.self) }
  }

  /// The first value of that name; nil when it was not sent or is not among `Configuration.headers`.
  public subscript(_ name: String) -> String? {
    var name = name
    let first = name.withUTF8 { name in entries.first { equalIgnoringCase(name, lowercased: names[$0.name]) } }
    return first.map { String(decoding: values[$0.value], as: UTF8.self) }
  }
}

/// Compares ASCII letters without regard to case.
func equalIgnoringCase(_ text: UnsafeBufferPointer<UInt8>, lowercased other: String) -> Bool {
  guard text.count == other.utf8.count else { return false }
  var other = other
  return other.withUTF8 { other in
    for index in 0..<other.count where lowercase(text[index]) != other[index] { return false }
    return true
  }
}

private func lowercase(_ byte: UInt8) -> UInt8 { byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte }
