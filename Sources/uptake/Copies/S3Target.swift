internal import Console
internal import HTTP
internal import Lifecycle
internal import Store

/// A copy in a bucket of S3, or of another server that speaks its protocol.
final class S3Target: CopyTarget {
  let address: String
  let isReadable = true
  let mostToReread = 1000
  private let access: S3Access
  private let client: HTTPClient

  init(_ address: String, _ access: S3Access) throws(StoreError) {
    (self.address, self.access) = (address, access)
    client = HTTPClient(
      userAgent: "uptake", timeout: .seconds(120), connectTimeout: .seconds(10), maxAnswerBytes: 64 << 20)
  }

  func put(_ name: String, _ bytes: [UInt8]) throws(StoreError) { _ = try send("PUT", name, body: bytes, [200]) }

  func get(_ name: String, first count: Int?) throws(StoreError) -> [UInt8]? {
    let answer = try send("GET", name, range: count, [200, 206, 404])
    if answer.status == 404, answer.text.contains("NoSuchBucket") { throw failure(answer) }
    guard answer.isWhole else { throw .copy(.unreachable("\(name) is longer than any part"), address) }
    return answer.status == 404 ? nil : answer.body
  }

  func remove(_ name: String) throws(StoreError) { _ = try send("DELETE", name, [200, 204, 404]) }

  /// https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html
  func names() throws(StoreError) -> [String] {
    var (names, token) = ([String](), String?.none)
    repeat {
      let query = token.map { [("continuation-token", $0)] } ?? []
      let answer = try send("GET", "", query: query + [("list-type", "2"), ("prefix", access.prefix)], [200])
      names += Self.texts("Key", answer.text).map { String($0.dropFirst(access.prefix.count)) }
      token = Self.texts("NextContinuationToken", answer.text).first
    } while token != nil
    return names
  }

  /// What stands between tags of a name. Keys of ours hold nothing that XML writes otherwise; of others it does not matter.
  private static func texts(_ tag: String, _ document: String) -> [String] {
    document.split(separator: "<\(tag)>", omittingEmptySubsequences: false).dropFirst().compactMap { part in
      part.firstRange(of: "</\(tag)>").map { String(part[..<$0.lowerBound]) }
    }
  }

  private func send(
    _ method: String, _ name: String, query: [(String, String)] = [], range: Int? = nil, body: [UInt8] = [],
    _ expected: [Int]
  ) throws(StoreError) -> OutboundAnswer {
    let now = Timestamp(rawValue: Instant.now().rawValue)
    let answer: OutboundAnswer
    do {
      answer = try client.send(
        access.request(method, name, query: query, range: range, body: body, now: now))
    } catch { throw .copy(.unreachable(error.description), address) }
    guard expected.contains(answer.status) else { throw failure(answer) }
    return answer
  }

  private func failure(_ answer: OutboundAnswer) -> StoreError {
    let code = Self.texts("Code", answer.text).first.map { " \($0)" } ?? ""
    let words = Self.texts("Message", answer.text).first.map { ": \($0)" } ?? ""
    return .copy(.unreachable("\(access.place.authority) answered \(answer.status)\(code)\(words)"), address)
  }
}
