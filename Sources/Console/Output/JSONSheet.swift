internal import Lifecycle

/// JSON text that grows as values describe themselves: what is open is closed once something outside of it is written.
///
/// The fields of an object are written in the order in which they come, each with its comma and its own line, and are put in
/// order when the object ends.
struct JSONSheet {
  /// An object, a list or a value that is not complete.
  private struct Open {
    let start: Int
    /// The first of its fields.
    let firstField: Int
    var kind = Kind.unknown
  }
  private enum Kind { case unknown, value, object, list }

  /// A field that is complete where the next one begins, or its object ends.
  private struct Field {
    let start: Int
    let name: Range<Int>
  }

  private let style: JSON.Style
  private(set) var bytes: [UInt8] = []
  private var open: [Open] = []
  private var fields: [Field] = []
  private var order: [Int] = []
  private var scratch: [UInt8] = []
  /// What only a tree can hold was asked for: values out of their turn, or two of one name.
  private(set) var isTorn = false

  init(style: JSON.Style) { self.style = style }

  mutating func tear() { isTorn = true }

  // MARK: what may have parts

  /// - Returns: the place of what begins, which its parts are written at.
  mutating func begin() -> Int {
    open.append(Open(start: bytes.count, firstField: fields.count))
    return open.count - 1
  }

  /// Ends it, and what is still open inside.
  mutating func end(_ place: Int) {
    while open.count > place { close() }
  }

  mutating func becomeObject(_ place: Int) { become(.object, place) }
  mutating func becomeList(_ place: Int) { become(.list, place) }

  private mutating func become(_ kind: Kind, _ place: Int) {
    guard isReady(place), open[place].kind == .unknown || open[place].kind == kind else { return tear() }
    open[place].kind = kind
  }

  // MARK: places to write at

  /// Makes room for the value of a field.
  mutating func field(_ name: String, of place: Int) {
    guard isReady(place) else { return tear() }
    let start = bytes.count
    separate(place)
    let quoted = bytes.count
    bytes.append(jsonString: name)
    // Fields are put in order by what their names are, not by how these are written.
    if bytes.count - quoted != name.utf8.count + 2 { tear() }
    fields.append(Field(start: start, name: quoted + 1..<bytes.count - 1))
    bytes.append(UInt8(ascii: ":"))
    if style == .pretty { bytes.append(UInt8(ascii: " ")) }
  }

  /// Makes room for the next element.
  mutating func element(of place: Int) {
    guard isReady(place) else { return tear() }
    separate(place)
  }

  /// Makes room for the one value that something is.
  mutating func value(of place: Int) {
    guard isReady(place), open[place].kind == .unknown else { return tear() }
    open[place].kind = .value
  }

  /// Ends what is open inside; false where the place itself was ended.
  private mutating func isReady(_ place: Int) -> Bool {
    end(place + 1)
    return place < open.count
  }

  /// Each part begins alike, so that parts can change places.
  private mutating func separate(_ place: Int) {
    bytes.append(UInt8(ascii: ","))
    if style == .pretty { newLine(level(place) + 1) }
  }

  /// Values that are written as another one are no level of their own.
  private func level(_ place: Int) -> Int { open[..<place].count { $0.kind != .value } }

  private mutating func newLine(_ level: Int) {
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * level))
  }
}

extension JSONSheet {
  // MARK: what has no parts

  mutating func write(literal: StaticString) {
    literal.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
  }

  mutating func write(_ value: Int) { bytes.append(value.description) }
  mutating func write(_ value: Double) { bytes.append(jsonNumber: value) }
  mutating func write(_ value: String) { bytes.append(jsonString: value) }
}

extension JSONSheet {
  // MARK: the end of what has parts

  private mutating func close() {
    let last = open.removeLast()
    switch last.kind {
    case .value: return
    case .unknown: return write(literal: "{}")
    case .object: close(last, "{}")
    case .list: close(last, "[]")
    }
  }

  private mutating func close(_ last: Open, _ brackets: StaticString) {
    guard bytes.count > last.start else { return write(literal: brackets) }
    if last.kind == .object { putInOrder(last) }
    let (begin, end) = brackets.withUTF8Buffer { unsafe ($0[0], $0[1]) }
    bytes[last.start] = begin
    if style == .pretty { newLine(level(open.count)) }
    bytes.append(end)
  }

  private mutating func putInOrder(_ object: Open) {
    defer { fields.removeSubrange(object.firstField...) }
    sort(object.firstField..<fields.count)
    if order.elementsEqual(object.firstField..<fields.count) { return }
    scratch.removeAll(keepingCapacity: true)
    for field in order {
      let end = field + 1 < fields.count ? fields[field + 1].start : bytes.count
      scratch.append(contentsOf: bytes[fields[field].start..<end])
    }
    bytes.replaceSubrange(object.start..., with: scratch)
  }

  /// By name; they are few.
  private mutating func sort(_ all: Range<Int>) {
    order.removeAll(keepingCapacity: true)
    for field in all {
      order.append(field)
      var place = order.count - 1
      while place > 0, precedes(field, order[place - 1]) {
        order.swapAt(place, place - 1)
        place -= 1
      }
    }
  }

  private mutating func precedes(_ left: Int, _ right: Int) -> Bool {
    let (left, right) = (fields[left].name, fields[right].name)
    for place in 0..<min(left.count, right.count) {
      let (one, other) = (bytes[left.lowerBound + place], bytes[right.lowerBound + place])
      if one != other { return one < other }
    }
    if left.count == right.count { tear() }
    return left.count < right.count
  }
}
