/// What numbers stand for that are given one after another: looked up for every event, several times.
public struct NumberedWords<Word: Sendable>: Sendable {
  /// By number, as far as there are as many.
  private var list: [Word?] = []
  /// A damaged file may hold any number.
  private var others: [Int64: Word] = [:]
  public private(set) var count = 0

  private static var longest: Int64 { 1 << 22 }

  public subscript(_ number: Int64) -> Word? {
    get {
      if number >= 0, number < Int64(list.count) { return list[Int(number)] }
      return others.isEmpty ? nil : others[number]
    }
    set {
      count += (newValue == nil ? 0 : 1) - (self[number] == nil ? 0 : 1)
      guard 0..<Self.longest ~= number else { return others[number] = newValue }
      if number >= Int64(list.count) { list += repeatElement(nil, count: Int(number) + 1 - list.count) }
      list[Int(number)] = newValue
    }
  }
}
