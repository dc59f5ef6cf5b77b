/// What a receiver of OpenTelemetry's logs says that it dropped of a request that it accepted. It must not be sent again.
public struct PartialSuccess: Equatable, Sendable {
  public var rejected = 0
  public var message = ""

  /// Reads the body of an answer; nil where everything was taken, or nothing else can be read in it.
  public init?(_ body: [UInt8], mediaType: String) {
    if mediaType.contains("protobuf") { try? read(protobuf: body) } else { read(json: body) }
    guard rejected > 0 else { return nil }
  }

  private mutating func read(json body: [UInt8]) {
    let part = (try? JSONReader.read(body))?["partialSuccess"]
    rejected = part?["rejectedLogRecords"]?.integer.map { Int($0) } ?? 0
    message = part?["errorMessage"]?.text ?? ""
  }

  private mutating func read(protobuf body: [UInt8]) throws(ProtobufProblem) {
    var (reader, budget) = (ProtobufReader(body), 100)
    let whole = reader
    try reader.eachField(&budget) { (number, value, budget) throws(ProtobufProblem) in
      guard number == 1, case .bytes(let range) = value else { return }
      var part = try whole.message(range)
      try part.eachField(&budget) { (number, value, _) throws(ProtobufProblem) in
        switch (number, value) {
        case (1, .varint(let count)): rejected = Int(clamping: count)
        case (2, .bytes(let range)): message = whole.text(range)
        default: break
        }
      }
    }
  }
}
