import Testing

@testable import Console

/// What is written straight away must be what the tree says, to the byte.
struct JSONWriterTests {
  @Test(arguments: 0..<400) func saysWhatTheTreeSays(_ seed: Int) throws {
    var random = Random(state: UInt64(seed))
    try expectSame(Made(&random, depth: 0))
  }

  private struct Entry: Encodable {
    var zone = "z"
    var at: Int? = nil
    var inner = ["b": [1.5, -0.0, .nan], "": [], "a": [1e300]]
  }

  @Test func writesWhatDescribesItself() throws {
    try expectSame(Entry())
    try expectSame([Entry(), Entry()])
    try expectSame([1: Entry()])
    try expectSame("x\"\\\u{202E}é")
    try expectSame([Int?](arrayLiteral: nil, 3))
    try expectSame([String: Int]())
    try expectSame([UInt8.max])
    try expectSame(Float(0.1))
    #expect(
      try JSON.text(encoding: Entry()) == #"{"at":null,"inner":{"":[],"a":[1e+300],"b":[1.5,0,null]},"zone":"z"}"#)
  }

  /// Names that are written otherwise than they sort, two of one name, and values out of their turn.
  @Test func leavesTheRareToTheTree() throws {
    try expectSame(["a\"": 1, "a#": 2, "a": 3, "a!": 4, "ü": 5, "\u{1}": 6])
    try expectSame(Twice())
    try expectSame(OutOfTurn())
    try expectSame(SideBySide(isKeyed: false))
    try expectSame(SideBySide(isKeyed: true))
    try expectSame(Swallowing())
    try expectSame(["\u{e9}": 1, "f": 2, "e\u{301}x": 3])
    try expectSame(Alike())
    try expectSame(Dictionary(uniqueKeysWithValues: (0..<500).map { ("name \($0)", $0) }))
    try expectSame(Nothing())
    try expectSame([Nothing()])
    #expect(throws: EncodingError.self) { try JSON.text(encoding: [UInt64.max]) }
  }

  private struct Twice: Encodable {
    func encode(to encoder: any Encoder) throws {
      var fields = encoder.container(keyedBy: Name.self)
      try fields.encode(1, forKey: Name("b"))
      try fields.encode(2, forKey: Name("a"))
      try fields.encode(3, forKey: Name("b"))
    }
  }

  private struct OutOfTurn: Encodable {
    func encode(to encoder: any Encoder) throws {
      var fields = encoder.container(keyedBy: Name.self)
      var late = fields.nestedUnkeyedContainer(forKey: Name("late"))
      var nested = fields.nestedContainer(keyedBy: Name.self, forKey: Name("nested"))
      try fields.encode(true, forKey: Name("first"))
      try late.encode(1)
      try nested.encode(2, forKey: Name("two"))
    }
  }

  /// Two lists that are asked for before either has an element.
  private struct SideBySide: Encodable {
    let isKeyed: Bool
    func encode(to encoder: any Encoder) throws {
      var fields = encoder.container(keyedBy: Name.self)
      var one = fields.nestedUnkeyedContainer(forKey: Name("one"))
      if isKeyed {
        var two = fields.nestedContainer(keyedBy: Name.self, forKey: Name("two"))
        try one.encode(1)
        try two.encode(2, forKey: Name("inner"))
      } else {
        var two = fields.nestedUnkeyedContainer(forKey: Name("two"))
        try one.encode(1)
        try two.encode(2)
      }
    }
  }

  private struct Swallowing: Encodable {
    func encode(to encoder: any Encoder) throws {
      var fields = encoder.container(keyedBy: Name.self)
      try? fields.encode(UInt64.max, forKey: Name("beyond"))
      try fields.encode(1, forKey: Name("one"))
    }
  }

  /// Two names of different bytes that are equal as texts.
  private struct Alike: Encodable {
    func encode(to encoder: any Encoder) throws {
      var fields = encoder.container(keyedBy: Name.self)
      try fields.encode(1, forKey: Name("\u{e9}"))
      try fields.encode(2, forKey: Name("e\u{301}"))
    }
  }

  private struct Nothing: Encodable { func encode(to encoder: any Encoder) {} }

  private func expectSame(_ value: some Encodable) throws {
    let tree = try JSON(encoding: value)
    #expect(try JSON.text(encoding: value) == tree.text())
    #expect(try JSON.text(encoding: value, .pretty) == tree.text(.pretty))
  }
}

private struct Name: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

/// Whatever may be within whatever.
private indirect enum Made: Encodable {
  case whole(Int), number(Double), text(String), flag(Bool), none
  case list([Made], isNested: Bool)
  case object([(String, Made)], isNested: Bool)

  init(_ random: inout Random, depth: Int) {
    let isNested = random.below(2) == 0
    switch random.below(depth > 4 ? 5 : 9) {
    case 0: self = .whole(Int(truncatingIfNeeded: random.next()))
    case 1: self = .number(Double(bitPattern: random.next()))
    case 2: self = .text(["", "ordinary", "with \"marks\"", "a line\nand more", "é🍵"][random.below(5)])
    case 3: self = .flag(random.below(2) == 0)
    case 4: self = .none
    case 5, 6: self = .list((0..<random.below(5)).map { _ in Made(&random, depth: depth + 1) }, isNested: isNested)
    default:
      let names = ["devices", "a", "seconds", "Zone", "lo", "hi", "value", "", "of"]
      let chosen = names.filter { _ in random.below(2) == 0 }.shuffled(using: &random)
      self = .object(chosen.map { ($0, Made(&random, depth: depth + 1)) }, isNested: isNested)
    }
  }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .whole(let value): try single(value, encoder)
    case .number(let value): try single(value, encoder)
    case .text(let value): try single(value, encoder)
    case .flag(let value): try single(value, encoder)
    case .none:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .list(let elements, let isNested):
      var container = encoder.unkeyedContainer()
      for element in elements {
        if isNested, case .object(let fields, _) = element {
          var nested = container.nestedContainer(keyedBy: Name.self)
          for (name, value) in fields { try nested.encode(value, forKey: Name(name)) }
        } else {
          try container.encode(element)
        }
      }
    case .object(let fields, let isNested):
      var container = encoder.container(keyedBy: Name.self)
      for (name, value) in fields {
        if isNested, case .list(let elements, _) = value {
          var nested = container.nestedUnkeyedContainer(forKey: Name(name))
          for element in elements { try nested.encode(element) }
        } else {
          try container.encode(value, forKey: Name(name))
        }
      }
    }
  }

  private func single(_ value: some Encodable, _ encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

private struct Random: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
  mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }
}
