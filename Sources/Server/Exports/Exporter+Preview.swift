internal import Console
internal import Lifecycle
internal import Query
public import Report
internal import Store

extension Exporter {
  /// The requests that `send` would make, as text, their secrets withheld.
  public func preview(_ news: [RolloutFact]) throws -> [String] {
    let waiting = try waiting()
    let known = Set(waiting.map(\.id))
    let old = waiting.compactMap { record in
      record.decoded?.told(at: clock(), noticedAt: record.noticedAt, to: order.target).map { ($0, record.attempts > 0) }
    }
    let told = try registry.told(identity, among: news.map(\.id))
    let new = news.filter { !known.contains($0.id) && !told.contains($0.id) }.map { ($0, false) }
    return (old + new).sorted { ($0.0.at, $0.0.id) < ($1.0.at, $1.0.id) }.compactMap { fact, isRepeat in
      order.target.parcel(fact, to: order.destination, sentAt: clock()).map {
        order.redaction(words($0, fact, isRepeat))
      }
    }
  }

  private func words(_ parcel: Parcel, _ fact: RolloutFact, _ isRepeat: Bool) -> String {
    "# \(harmless(fact.title)), \(fact.kind.rawValue), \(fact.at.rfc3339)\(isRepeat ? ", again" : "")\n" + parcel.words
  }
}

extension Parcel {
  /// The request as it would be written, before it is packed; a body that is no text in Base64.
  public var words: String {
    let packing = isPacked ? ["Content-Encoding: gzip"] : []
    let lines = ["\(method) \(url)"] + headers.map { "\($0.name): \($0.value)" } + packing
    let isText = !headers.contains { $0.value == "application/x-protobuf" }
    let text = isText ? String(decoding: body, as: UTF8.self) : base64(body)
    return lines.joined(separator: "\n") + "\n\n" + text + (text.hasSuffix("\n") ? "\n" : "\n\n")
  }
}
