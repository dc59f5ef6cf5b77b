public import Lifecycle
public import Store

/// A request in another system's protocol, as far as dialects care.
public struct ForeignRequest: Sendable {
  /// What the placeholders of the route's path stand for.
  public var path: [String: String]
  public var query: [(name: String, value: String)]
  /// By lower-case name, those of `Dialect.headers` that were sent.
  public var headers: [String: String]
  /// Inflated.
  public var body: [UInt8]

  public init(
    path: [String: String] = [:], query: [(name: String, value: String)] = [], headers: [String: String] = [:],
    body: [UInt8] = []
  ) {
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
  }

  /// The first value of the query under any of the names.
  func query(_ names: String...) -> String? {
    names.lazy.compactMap { name in query.first { $0.name == name && !$0.value.isEmpty }?.value }.first
  }

  func json() throws(DialectProblem) -> JSONValue {
    do throws(JSONProblem) { return try JSONReader.read(body) } catch {
      throw DialectProblem(.malformed, error.message)
    }
  }
}

/// The answer, in the protocol's own shape.
public struct ForeignReply: Equatable, Sendable {
  public var status: Int
  public var type: String
  public var body: [UInt8]
  public var headers: [String: String] = [:]

  public init(_ status: Int, _ type: String, _ body: [UInt8]) {
    self.status = status
    self.type = type
    self.body = body
  }

  static func json(_ text: String, status: Int = 200) -> Self { Self(status, "application/json", Array(text.utf8)) }
  static func text(_ text: String, status: Int = 200) -> Self {
    Self(status, "text/plain; charset=utf-8", Array(text.utf8))
  }

  /// A copy that says after how many seconds it is worth to ask again, where it is.
  func retry(after seconds: Int?) -> ForeignReply {
    var copy = self
    if let seconds { copy.headers["Retry-After"] = String(seconds) }
    return copy
  }
}

/// What a dialect understood of a request.
public struct ParsedRequest: Sendable {
  public var drafts: [Draft] = []
  /// What the protocol itself presents as proof: a deployment key, the key of a DSN, an app's id. It is looked at where
  /// nothing proved before that the client may.
  public var credential: String?
  /// When the client says it sent the request.
  public var sentAt: Timestamp?
  /// What was understood and holds no event, or could not be one, by reason.
  public var dropped: [String: Int] = [:]
  /// How many items the request had, for protocols that answer item by item.
  public var items = 0
  /// Whether the items came in a list, even if it is one.
  var isBatch = false
  /// Why single items were refused before they became drafts, in a word.
  var refusals: [Int: String] = [:]
  /// What the answer repeats of the request.
  var notes: [String: String] = [:]
  /// What was not understood, and hides what was meant; the events are taken all the same.
  public internal(set) var problems: [AsideProblem] = []
  public var channels = Channels.said
  public var subjects = Subjects.said
  /// What each device has under way, or what waits on it for the next start, the last word of each; nil: nothing any more.
  public internal(set) var remembers: [(app: String, device: String, release: String?)] = []

  /// Where the channel of the drafts comes from.
  public enum Channels: Equatable, Sendable {
    case said
    /// Said here, and left out of later reports of the same device.
    case remembered
    /// What the device said last, else a default of the protocol.
    case recalled(otherwise: String)
  }

  /// Where the release of drafts comes from that name none.
  public enum Subjects: Equatable, Sendable {
    case said
    /// It is the one that the update server offered last.
    case offered
    /// It is the one that the device reported as under way and has neither staged nor given up.
    case underWay
    /// Said here; but what waits for the next start does not run, even where the client names it as what does.
    case waiting
  }

  public init(_ drafts: [Draft] = [], credential: String? = nil) {
    self.drafts = drafts
    self.credential = credential
  }

  /// What the update server offered to the device that asked; nil where there is nothing to tell.
  public func offer(_ release: String?) -> ParsedRequest? {
    guard let release, var draft = drafts.first(where: { $0.stage == .check }), draft.release != release else {
      return nil
    }
    (draft.stage, draft.from, draft.release) = (.available, draft.release, release)
    return ParsedRequest([draft])
  }

  mutating func drop(_ reason: String, _ count: Int = 1) { dropped[reason, default: 0] += count }
}

/// What became of a request.
public enum Verdict: Sendable {
  /// Its events are on disk, or it held none.
  case stored(Decoded, Admitted)
  case refused(DialectProblem)
}

/// Where a request carries what its client proves itself with. A key of ours may stand beside every body, too.
public enum Proof: Sendable {
  /// In the path, the query or a header: whoever has none is turned away before the body is read.
  case beside(@Sendable (ForeignRequest) -> String?)
  /// There, else in the first line of the body: whoever has none is turned away before the rest is looked at.
  case besideOrFirstLine(@Sendable (ForeignRequest) -> String?, @Sendable (ArraySlice<UInt8>) -> String?)
  /// Somewhere in the body, as `ParsedRequest.credential`.
  case inside
}

/// How one request of another system's clients is understood and answered. Both functions are pure and never trap.
public struct Dialect: Sendable {
  /// As metrics, keys and documentation call it.
  public let name: String
  /// Whether the client asks for an update, so that an update server may answer in our place.
  public let isCheck: Bool
  /// Where its clients say what proves that they may.
  public let proof: Proof
  public let hear: @Sendable (ForeignRequest) throws(DialectProblem) -> ParsedRequest
  /// `heard` is nil where the request was not understood.
  public let answer: @Sendable (ForeignRequest, ParsedRequest?, Verdict) -> ForeignReply
  /// The release that an update server's answer offers; nil where it offers none.
  public let offer: @Sendable (ForeignRequest, [UInt8]) -> String?

  init(
    name: String, isCheck: Bool = false, proof: Proof = .beside { _ in nil },
    hear: @escaping @Sendable (ForeignRequest) throws(DialectProblem) -> ParsedRequest,
    answer: @escaping @Sendable (ForeignRequest, ParsedRequest?, Verdict) -> ForeignReply,
    offer: @escaping @Sendable (ForeignRequest, [UInt8]) -> String? = { _, _ in nil }
  ) {
    (self.name, self.isCheck, self.proof, self.hear) = (name, isCheck, proof, hear)
    (self.answer, self.offer) = (answer, offer)
  }
}
