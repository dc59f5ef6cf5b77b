import Glibc
import HTTP
import Ingest
import Lifecycle
import Report
import Store

/// Ends the process, which libFuzzer takes for a find and a test for a failure, where something that always holds does not.
func require(_ holds: Bool, _ law: StaticString) {
  if !holds { fatalError("broken law: \(law)") }
}

/// Every reader of foreign bytes by the name of its target. Parsers may look at 64 bytes behind a body, as they may in the
/// service: whoever calls leaves room for them.
public let readers: [String: @Sendable ([UInt8]) -> Void] =
  ownReaders.merging(Dictionary(uniqueKeysWithValues: dialectReaders)) { own, _ in own }

private let ownReaders: [String: @Sendable ([UInt8]) -> Void] = [
  "events": { decodeTwice($0, as: .json) }, "ndjson": { decodeTwice($0, as: .ndjson) },
  "import-csv": { importFile($0, .csv) },
  "import-ndjson": { importFile($0, .ndjson) }, "gzip": { inflateAndDecode($0) }, "settings": { readSettings($0) },
  "targets": { readTarget($0) }, "map": { readMap($0) }, "mapped": { importByMaps($0) },
  // Two dialects without an endpoint of their own: one lies inside native bodies, the other in access logs.
  "swiftpatch": {
    decodeTwice($0, as: .json)
    decodeTwice($0, as: .ndjson)
  }, "expo": { importFile($0, .expoLog) },
  "pages": { _ = try? Site(pages: [("index.json", String(decoding: $0, as: UTF8.self))]) },
]

let keys = IdentityKeys(device: Array(0..<16), event: Array(16..<32))
let noon = Timestamp(rawValue: 1_709_553_600_000)

/// Reading again what was read gives the same, and nothing is both taken and refused.
func decodeTwice(_ bytes: [UInt8], as format: BodyFormat) {
  let decoder = NativeDecoder(keys: keys)
  let first = decoder.decode(bytes.span.bytes, as: format, .request(app: "a", received: noon, sentAt: nil))
  let second = decoder.decode(bytes.span.bytes, as: format, .request(app: "a", received: noon, sentAt: nil))
  require(first.batch.events == second.batch.events, "a decoder keeps nothing of the body before")
  require(first.rejected == second.rejected, "the same body is refused for the same reasons")
  require(first.rejections.count <= 100, "at most a hundred refusals are told")
  for event in first.batch.events {
    require(event.at.rawValue <= noon.rawValue + 86_400_000, "nothing comes from the future")
  }
}

func inflateAndDecode(_ bytes: [UInt8]) {
  let limit = 1 << 20
  for encoding in ContentEncoding.allCases {
    guard let plain = try? inflate(bytes.span.bytes, encoding, limit: limit) else { continue }
    require(plain.count <= limit, "a body inflates to its limit at most")
    decodeTwice(plain, as: .ndjson)
  }
}

func readTarget(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  _ = ClientAddress(text)?.crowd
  _ = AddressRange(text)
  guard let target = Target(text) else { return }
  // By bytes: a mark that combines with the slash makes another character of it.
  require(target.path == "*" || target.path.utf8.first == UInt8(ascii: "/"), "a path begins with a slash")
  require(!target.segments.contains(".."), "a path does not climb")
  for item in target.queryItems { require(!item.value.utf8.contains(0), "a value holds no NUL") }
}
