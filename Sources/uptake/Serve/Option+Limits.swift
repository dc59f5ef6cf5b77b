internal import Answers
internal import Console
internal import HTTP

/// What a service allows its clients, and what it keeps for itself.
extension Option {
  static let trustedProxy = Option(
    "trusted-proxy", .text, value: "ADDRESS", arity: .list, key: "trusted-proxy",
    help: "Proxies whose X-Forwarded-For names the client: 10.0.0.7, 10.0.0.0/8, ::1, unix")
  static let ratePerAddress = Option(
    "rate-per-address", .integer(0...10_000_000), fallback: "1000", key: "rate-per-address",
    help: "Requests a second from one address (or IPv6 /64), 20 seconds' worth at once; 0: no limit")
  static let ratePerKey = Option(
    "rate-per-key", .integer(0...10_000_000), fallback: "20000", key: "rate-per-key",
    help: "Requests a second with one key, 20 seconds' worth at once; 0: no limit")
  static let newDevicesPerKey = Option(
    "new-devices-per-key", .integer(0...10_000_000), fallback: "60000", key: "new-devices-per-key",
    help: "Devices a minute that nobody knew, with one key, 20 minutes' worth at once; 0: no limit")
  static let headerTimeout = Option(
    "header-timeout", .duration, fallback: "10s", key: "header-timeout", help: "How long a request's headers may take")
  static let bodyTimeout = Option(
    "body-timeout", .duration, fallback: "30s", key: "body-timeout", help: "How long a request's body may take")
  static let idleTimeout = Option(
    "idle-timeout", .duration, fallback: "60s", key: "idle-timeout",
    help: "How long a connection may wait between requests")
  static let questionThreads = Option(
    "question-threads", .integer(1...64), fallback: "2", key: "question-threads",
    help: "How many questions are answered at once; 32 more wait")
  static let questionTimeout = Option(
    "question-timeout", .duration, fallback: "30s", key: "question-timeout", help: "How long an answer may take")

  static let questionMemory = Option(
    "question-memory", .size, fallback: "2GiB", key: "question-memory",
    help: "How much memory a process that answers questions may take")

  static let limits = [
    trustedProxy, ratePerAddress, ratePerKey, newDevicesPerKey, headerTimeout, bodyTimeout, idleTimeout,
    questionThreads, questionTimeout,
    questionMemory,
  ].map { $0.under("LIMITS") }

  static let reserve = Option(
    "reserve", .size, fallback: "32MiB", key: "reserve",
    help:
      "Disk space set aside; given back when the disk is full, so that the write-ahead log can be moved into the database"
  )
  static let largeLog = Option(
    "large-log", .size, fallback: "256MiB", key: "large-log",
    help: "Warn when the write-ahead log is larger, and name the programs whose long reads keep it so")
  static let foldAfter = Option(
    "fold-after", .duration, fallback: "60s", key: "fold-after",
    help: "How long events may wait until they are folded into journeys; they count at once in any case")

  static let storage = [reserve, largeLog, foldAfter]
}

extension Invocation {
  func trustedProxies() throws(Failure) -> [AddressRange] {
    var ranges: [AddressRange] = []
    for text in texts(.trustedProxy) {
      guard let range = AddressRange(text) else {
        throw Failure(
          "bad_address", "\(quoted(text)) is not an address", place: "--trusted-proxy",
          hints: ["write 10.0.0.7, 10.0.0.0/8 or 2001:db8::/32, or unix for one behind a socket in the file system"],
          exit: .usage)
      }
      ranges.append(range)
    }
    return ranges
  }

  func limitTimes(_ configuration: inout HTTP.Configuration) {
    if let time = duration(.headerTimeout) { configuration.headerTimeout = .milliseconds(time.rawValue) }
    if let time = duration(.bodyTimeout) { configuration.bodyTimeout = .milliseconds(time.rawValue) }
    if let time = duration(.idleTimeout) { configuration.idleTimeout = .milliseconds(time.rawValue) }
  }
}
