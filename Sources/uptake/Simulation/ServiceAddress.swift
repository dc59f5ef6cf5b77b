internal import Console
internal import HTTP

extension WebAddress {
  /// Where a service listens, from a URL such as `http://127.0.0.1:8787`; the path is `/v1/events` where none is given.
  init(service url: String) throws(Failure) {
    guard var address = WebAddress(url), !address.isSecure else {
      throw Failure(
        "bad_url", "\(quoted(url)) is not the URL of a service", place: "--to",
        hints: ["write it like http://127.0.0.1:8787"], exit: .usage)
    }
    if address.path == "/" { address.path = "/v1/events" }
    self = address
  }
}
