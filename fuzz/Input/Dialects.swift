import Ingest
import Lifecycle
import Store

/// A reader for each dialect, by its name: the first byte chooses among its endpoints, the rest is the body, or the query
/// where the endpoint has none.
let dialectReaders: [(String, @Sendable ([UInt8]) -> Void)] = Dialect.names.map { name in
  let routes = Dialect.routes.filter { $0.dialect.name == name }
  return (name, { @Sendable (bytes: [UInt8]) in hear(bytes, routes) })
}

private func hear(_ bytes: [UInt8], _ routes: [DialectRoute]) {
  guard let first = bytes.first else { return }
  let route = routes[Int(first) % routes.count]
  var request = ForeignRequest(path: ["project": "1", "appKey": "a"])
  if route.method == "GET" {
    request.query = query(bytes.dropFirst())
  } else {
    request.body.reserveCapacity(bytes.count + 64)
    request.body += bytes.dropFirst()
  }
  prove(route.dialect, request)
  for type in ["application/json", "application/x-protobuf"] {
    request.headers["content-type"] = type
    hear(request, route.dialect)
  }
  _ = route.dialect.offer(request, Array(bytes.dropFirst()))
}

private func hear(_ request: ForeignRequest, _ dialect: Dialect) {
  do throws(DialectProblem) {
    var heard = try dialect.hear(request)
    heard.complete(request, keyApp: "a", keyChannel: nil)
    let decoded = NativeDecoder(keys: keys).decode(
      heard.drafts, .request(app: "a", received: noon, sentAt: heard.sentAt))
    let count = decoded.batch.events.count
    require(count + decoded.rejected.total <= heard.drafts.count, "no event comes from nothing")
    let reply = dialect.answer(request, heard, .stored(decoded, Admitted(accepted: count, duplicate: 0)))
    // 503: what no update server answers, the client asks for again.
    let isAskedAgain = dialect.isCheck && reply.status == 503
    require((200..<300).contains(reply.status) || reply.status == 400 || isAskedAgain, "what was heard is answered")
  } catch {
    let reply = dialect.answer(request, nil, .refused(error))
    require([400, 413, 415].contains(reply.status), "what was not heard is refused for good")
  }
}

private func prove(_ dialect: Dialect, _ request: ForeignRequest) {
  switch dialect.proof {
  case .inside: break
  case .beside(let credential): _ = credential(request)
  case .besideOrFirstLine(let credential, let inside):
    _ = credential(request)
    _ = inside(request.body.prefix { $0 != UInt8(ascii: "\n") })
  }
}

private func query(_ bytes: ArraySlice<UInt8>) -> [(name: String, value: String)] {
  String(decoding: bytes, as: UTF8.self).split(separator: "&").map { item in
    let pair = item.split(separator: "=", maxSplits: 1).map(String.init)
    return (name: pair.first ?? "", value: pair.count > 1 ? pair[1] : "")
  }
}
