/// What differs between the access logs of servers, for maps that read the same requests from each of them.
struct AccessLog {
  let name: String
  /// The beginning of a map: how lines are read, which of them count, and when they were written.
  let head: String
  /// Where the address of a request lies, and what stands around it there.
  let request: (path: String, before: String, after: String)
  let address: String
  let agent: String

  /// nginx's and Apache's `combined`, with a header more at the end where a map needs one.
  static func combined(header: String? = nil) -> AccessLog {
    AccessLog(
      name: "nginx or Apache",
      head: #"""
        format = "log"
        # The server's own log_format; names are what the map reads.
        pattern = '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"\#(header.map { " \"$\($0)\"" } ?? "")'

        [[only]]
        path = "status"
        is = [200, 206, 304]

        [event.at]
        path = "time_local"
        time = "02/Jan/2006:15:04:05 -0700"
        """#,
      request: ("request", "GET ", " HTTP/$_"), address: "remote_addr", agent: "http_user_agent")
  }

  static let caddy = AccessLog(
    name: "Caddy",
    head: #"""
      format = "jsonl"

      [[only]]
      path = "status"
      is = [200, 206, 304]
      [[only]]
      path = "request.method"
      is = ["GET"]

      [event.at]
      path = "ts"
      time = "s"
      """#,
    request: ("request.uri", "", ""), address: "request.client_ip", agent: "request.headers.User-Agent[0]")

  func header(_ name: String, nginx: String) -> String {
    self.name == "Caddy" ? "request.headers.\(name)[0]" : nginx
  }

  /// A source of the stage: what an address means, and of the release, where the address is a file's.
  func stage(_ address: String, _ stage: String) -> String {
    """
    [[event.stage]]
    path = "\(request.path)"
    pattern = "\(request.before)\(address)\(request.after)"
    value = "\(stage)"
    """
  }

  func version(_ address: String) -> String {
    """
    [[event.release]]
    path = "\(request.path)"
    pattern = "\(request.before)\(address)\(request.after)"
    find = "version"
    """
  }

  /// Downloads by the ends of their names, with the version that their names hold.
  func downloads(_ ends: [String]) -> String {
    ends.map { stage("$_\($0)", "downloadStarted") + "\n" + version("$value\($0)") }.joined(separator: "\n")
  }
}
