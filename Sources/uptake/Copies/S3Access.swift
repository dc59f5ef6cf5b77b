internal import Console
internal import Glibc
internal import HTTP
internal import Lifecycle
internal import Store

/// Where a bucket is and who may write to it, as the variables of AWS's own tools say:
/// https://docs.aws.amazon.com/sdkref/latest/guide/environment-variables.html.
struct S3Access {
  var key: String
  var secret: String
  var token: String?
  var region: String
  /// Of the bucket, without a slash at its end.
  var place: WebAddress
  /// Before the names of objects, with a slash at its end or empty.
  var prefix: String

  /// - Parameter address: `s3://BUCKET/PREFIX`.
  init(_ address: String, _ variable: (String) -> String? = Self.variable) throws(StoreError) {
    func bad(_ why: String) -> StoreError { .copy(.badAddress(why), address) }
    let parts = address.dropFirst("s3://".count).split(separator: "/")
    guard let bucket = parts.first else { throw bad("it names no bucket") }
    guard parts.allSatisfy({ $0.utf8.allSatisfy(Self.isPlain) && $0 != "." && $0 != ".." }) else {
      throw bad("only letters, digits, '.', '-' and '_' are permitted between its slashes")
    }
    guard let key = variable("AWS_ACCESS_KEY_ID"), let secret = variable("AWS_SECRET_ACCESS_KEY") else {
      throw bad("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set")
    }
    region = variable("AWS_REGION") ?? variable("AWS_DEFAULT_REGION") ?? "us-east-1"
    let endpoint = variable("AWS_ENDPOINT_URL_S3") ?? variable("AWS_ENDPOINT_URL")
    let text = endpoint ?? "https://s3.\(region).amazonaws.com"
    guard let place = WebAddress(text) else { throw bad("AWS_ENDPOINT_URL is no address: \(text)") }
    self.place = place.appending("/\(bucket)")
    prefix = parts.dropFirst().map { "\($0)/" }.joined()
    (self.key, self.secret, token) = (key, secret, variable("AWS_SESSION_TOKEN"))
  }

  static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A request that carries its signature, version 4:
  /// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html.
  ///
  /// - Parameter query: names and values, in order of name.
  func request(
    _ method: String, _ object: String, query: [(String, String)] = [], range: Int? = nil, body: [UInt8] = [],
    now: Timestamp
  ) -> OutboundRequest {
    let words = query.map { "\(percentEncoded($0.0))=\(percentEncoded($0.1))" }.joined(separator: "&")
    let path = place.path + (object.isEmpty ? "/" : "/" + prefix + object)
    var address = place
    address.path = words.isEmpty ? path : path + "?" + words
    let moment = Self.moment(now)
    let digest = RequestHash.hex(RequestHash.sha256(body))
    var headers = [("host", place.authority), ("x-amz-content-sha256", digest), ("x-amz-date", moment)]
    if let token { headers.append(("x-amz-security-token", token)) }
    let names = headers.map(\.0).joined(separator: ";")
    let canonical = [method, path, words] + headers.map { "\($0.0):\($0.1)" } + ["", names, digest]
    let scope = "\(moment.prefix(8))/\(region)/s3/aws4_request"
    let hashed = RequestHash.hex(RequestHash.sha256(Array(canonical.joined(separator: "\n").utf8)))
    let signature = signature("AWS4-HMAC-SHA256\n\(moment)\n\(scope)\n\(hashed)", moment)
    let authorization =
      "AWS4-HMAC-SHA256 Credential=\(key)/\(scope), SignedHeaders=\(names), Signature=\(signature)"
    var sent = headers.dropFirst().map { (name: $0.0, value: $0.1) } + [(name: "authorization", value: authorization)]
    if let range { sent.append((name: "range", value: "bytes=0-\(range - 1)")) }
    return OutboundRequest(method, address, headers: sent, body: body)
  }

  private func signature(_ text: String, _ moment: String) -> String {
    var key = Array("AWS4\(secret)".utf8)
    for word in [String(moment.prefix(8)), region, "s3", "aws4_request", text] {
      key = RequestHash.hmac(Array(word.utf8), key: key)
    }
    return RequestHash.hex(key)
  }

  /// `20130524T000000Z`
  private static func moment(_ now: Timestamp) -> String {
    now.rfc3339.prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
  }
}
