internal import Lifecycle

/// JSON text that grows as values describe themselves: what is open is closed once something outside of it is written.
///
/// The fields of an object are written in the order in which they come, each with its comma and its own line, and are put in
/// order when the object ends: each byte is moved once for every object that it is in. `JSONWriterTests` hold it against the tree.
struct JSONWriter {
  /// Which of the open ones is written to; stays its own when others are opened in its stead.
  struct Handle {
    fileprivate let index: Int
    fileprivate let serial: Int
  }

  /// An object, a list or a value that is not complete.
  private struct Open {
    let serial: Int
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
  private var opened = 0
  private var fields: [Field] = []
  private var order: [Int] = []
  private var scratch: [UInt8] = []
  /// The text is wrong, as only a tree holds what was asked for: values out of their turn, or two of one name.
  private(set) var needsTree = false

  init(style: JSON.Style) { self.style = style }

  mutating func leaveToTree() { needsTree = true }

  // MARK: what has parts

  mutating func begin() -> Handle {
    opened += 1
    open.append(Open(serial: opened, start: bytes.count, firstField: fields.count))
    return Handle(index: open.count - 1, serial: opened)
  }

  /// Ends it, and what is still open inside.
  mutating func end(_ handle: Handle) { end(from: handle.index) }

  private mutating func end(from index: Int) {
    while open.count > index { close() }
  }

  mutating func becomeObject(_ handle: Handle) { become(.object, handle) }
  mutating func becomeList(_ handle: Handle) { become(.list, handle) }

  private mutating func become(_ kind: Kind, _ handle: Handle) {
    guard isReady(handle), open[handle.index].kind == .unknown || open[handle.index].kind == kind else {
      return leaveToTree()
    }
    open[handle.index].kind = kind
  }

  // MARK: where to write

  /// Makes room for the value of a field.
  mutating func field(_ name: String, of handle: Handle) {
    guard isReady(handle) else { return leaveToTree() }
    let start = bytes.count
    separate(handle.index)
    let quoted = bytes.count
    bytes.append(jsonString: name)
    // Fields are sorted by the bytes that are written: those of other names may sort otherwise, or be equal where the bytes are not.
    if bytes.count - quoted != name.utf8.count + 2 || !bytes[quoted...].allSatisfy({ $0 < 0x80 }) { leaveToTree() }
    fields.append(Field(start: start, name: quoted + 1..<bytes.count - 1))
    bytes.append(UInt8(ascii: ":"))
    if style == .pretty { bytes.append(UInt8(ascii: " ")) }
  }

  /// Makes room for the next element.
  mutating func element(of handle: Handle) {
    guard isReady(handle) else { return leaveToTree() }
    separate(handle.index)
  }

  /// Makes room for the one value that something is.
  mutating func value(of handle: Handle) {
    guard isReady(handle), open[handle.index].kind == .unknown else { return leaveToTree() }
    open[handle.index].kind = .value
  }

  /// Ends what is open inside; false where the one itself was ended.
  private mutating func isReady(_ handle: Handle) -> Bool {
    guard handle.index < open.count, open[handle.index].serial == handle.serial else { return false }
    end(from: handle.index + 1)
    return true
  }

  /// Each part begins alike, so that parts can change places.
  private mutating func separate(_ index: Int) {
    bytes.append(UInt8(ascii: ","))
    if style == .pretty { newLine(level(index) + 1) }
  }

  /// Values that are written as another one are no level of their own.
  private func level(_ index: Int) -> Int { open[..<index].count { $0.kind != .value } }

  private mutating func newLine(_ level: Int) {
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * level))
  }
}

extension JSONWriter {
  // MARK: what has no parts

  mutating func write(literal: StaticString) {
    literal.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
  }

  mutating func write(_ value: Int) { bytes.append(value.description) }
  mutating func write(_ value: Double) { bytes.append(jsonNumber: value) }
  mutating func write(_ value: String) { bytes.append(jsonString: value) }
}

extension JSONWriter {
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

  /// By name. Objects have a dozen fields: those of hundreds, which name groups, are left to the tree.
  private mutating func sort(_ all: Range<Int>) {
    if all.count > Self.mostFields { leaveToTree() }
    order.removeAll(keepingCapacity: true)
    for field in all.prefix(Self.mostFields) {
      order.append(field)
      var index = order.count - 1
      while index > 0, precedes(field, order[index - 1]) {
        order.swapAt(index, index - 1)
        index -= 1
      }
    }
  }

  private static let mostFields = 200

  private mutating func precedes(_ left: Int, _ right: Int) -> Bool {
    let (left, right) = (fields[left].name, fields[right].name)
    for offset in 0..<min(left.count, right.count) {
      let (one, other) = (bytes[left.lowerBound + offset], bytes[right.lowerBound + offset])
      if one != other { return one < other }
    }
    if left.count == right.count { leaveToTree() }
    return left.count < right.count
  }
}
