import Console
import Dispatch
import Glibc
import HTTP
import Lifecycle
import Server
import Store

/// What libFuzzer calls with each input: a request.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  ask(Array(UnsafeBufferPointer(start: data, count: size)))
  return 0
}

/// The first line is the method and the target, the rest the body. Every request gets one answer that is no failure.
private func ask(_ bytes: [UInt8]) {
  let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
  let words = String(decoding: line, as: UTF8.self).split(separator: " ", maxSplits: 1)
  guard words.count == 2, let target = Target(String(words[1])) else { return }
  let request = HTTP.Request(method: String(words[0]), target: target, body: Array(bytes.dropFirst(line.count + 1)))
  let answered = DispatchSemaphore(value: 0)
  service.handle(
    request,
    Responder { response in
      check(response)
      answered.signal()
    })
  if answered.wait(timeout: .now() + 20) == .timedOut { fatalError("broken law: every request is answered") }
}

private func check(_ response: Response) {
  if response.status == 500 || response.status > 503 { fatalError("broken law: status \(response.status)") }
  if response.status >= 400, response.body.isEmpty { fatalError("broken law: an error says why") }
}

/// A service on a small database of its own, with a few events that questions can be about.
private let service: Service = {
  let directory = "/tmp/uptake-fuzz-\(getpid())"
  mkdir(directory, 0o700)
  let settings = Service.Settings(
    path: directory + "/uptake.db", version: "0", maxBody: 8 << 20, maxInflated: 64 << 20, minFree: 0, reserve: 0,
    largeLog: .max, queue: 1000, limits: RateLimits.Settings(perAddress: 0, perKey: 0, trustedProxies: []),
    questionThreads: 1, questionTimeout: .seconds(10), clock: { Instant(rawValue: 1_741_392_000_000) })
  let log = ServiceLog(Sink(isTerminal: false, columns: 80) { _ in }, clock: settings.clock)
  guard let service = try? Service(settings, durability: .normal, window: 1000, journal: log)
  else { fatalError("no service on \(directory)") }
  for number in 0..<20 {
    let body = """
      {"device":"d\(number)","app":"a","stage":"applied","release":"1.0","trigger":"silentPush",\
      "at":"2025-03-01T0\(number % 10):00:00Z"}
      """
    guard let target = Target("/v1/events") else { continue }
    service.handle(HTTP.Request(method: "POST", target: target, body: Array(body.utf8)), Responder { _ in })
  }
  return service
}()
