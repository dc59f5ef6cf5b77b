import Foundation

public enum Stage: String, Sendable, CaseIterable {
  case check, available, downloadStarted, downloadCompleted, verified, ready, applied, confirmed
  case dismissed, failed, rolledBack, crashed, wakeStarted, wakeFinished, pushReceived
}

public enum Trigger: String, Sendable { case silentPush, bgRefresh, foreground, location, unknown }
public enum Outcome: String, Sendable { case newData, noData, failed, expired }
public enum AppState: String, Sendable { case background, inactive, active, notRunning }

/// Arms with the percentage of devices each; devices beyond their sum are in none.
public typealias Experiment = (name: String, arms: [(arm: String, percent: Double)])

public func armOf(_ device: String, in experiment: Experiment) -> String? {
  var left = bucketOf(device, in: experiment.name)
  return experiment.arms.first { _, percent in
    left -= Int((percent * 100).rounded())
    return left < 0
  }?.arm
}

/// A number from 0 to 9999 that a device keeps throughout an experiment: FNV-1a of `name:device`, mixed as in MurmurHash3.
public func bucketOf(_ device: String, in experiment: String) -> Int {
  var hash = "\(experiment):\(device)".utf8.reduce(0x811c_9dc5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
  hash = (hash ^ hash >> 16) &* 0x85eb_ca6b
  hash = (hash ^ hash >> 13) &* 0xc2b2_ae35
  return Int((hash ^ hash >> 16) % 10_000)
}

/// Whether a push arrived (`silentPush`) or came with a tap or in use (`foreground`).
public func arrivalOrTap(_ state: AppState, isStarting: Bool) -> Trigger {
  switch state {
  case .background: .silentPush
  case .active: .foreground
  case .inactive, .notRunning: isStarting ? .foreground : .silentPush
  }
}

/// What came back for a batch; status 0 is no answer.
struct Answer: Sendable {
  var status: Int, body: String, retryAfter: String? = nil

  enum Next: String { case go, halve, apart, retry, rest }

  private var json: [String: Any]? { try? JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any] }

  private var error: [String: Any]? { json?["error"] as? [String: Any] }

  private var message: String? { error?["message"] as? String }

  /// Why events wait: the service's own words where it has some.
  var cause: String { status == 0 ? body : "status \(status)" + (message.map { ": \($0)" } ?? "") }

  /// How many of `count` events leave the queue, how many of them were refused, and what comes next.
  func verdict(count: Int) -> (remove: Int, refused: Int, next: Next) {
    let said = ["rejected", "accepted", "duplicate"].map { json?[$0] as? Int ?? 0 }
    let done = said.reduce(0, +)
    if done > 0, 200..<300 ~= status || status == 400 { return (min(done, count), min(said[0], count), .go) }
    // The service's own: what stands in between may say `error`, too.
    if status == 413 || status == 400 && error?["code"] is String { return count > 1 ? (0, 0, .halve) : (1, 1, .go) }
    if !(400..<500 ~= status) || [408, 425, 429].contains(status) { return (0, 0, .retry) }
    // These are about the key or the address. Others, such as a firewall's, may be about one event.
    return (0, 0, [401, 404, 405, 407].contains(status) ? .rest : .apart)
  }

  /// Milliseconds until the next attempt; `random` is from 0 up to 1.
  func pause(_ next: Next, failures: Int, random: Double, base: Int) -> Int {
    let (hour, seconds) = (3_600_000.0, min(retryAfter.flatMap { UInt32($0) } ?? 0, 86_400))
    let full = next != .retry ? hour : min(hour, Double(base) * pow(2, Double(min(failures - 1, 30))))
    return Int((seconds > 0 ? Double(seconds) * 1000 : full / 2) + random * full / 2)
  }
}

/// Where events are posted, however much of it `url` says already.
func eventsAddress(_ url: URL) -> URL {
  let base = url.absoluteString.replacingOccurrences(of: "(/+v1(/+events)?)?/*$", with: "", options: .regularExpression)
  return URL(string: base + "/v1/events") ?? url
}

/// What of a stored text are whole lines; a torn end and what is no event are left out.
func wholeLines(of text: Data) -> [Data] {
  text.split(separator: 10, omittingEmptySubsequences: false).dropLast().filter {
    $0.first == UInt8(ascii: "{") && $0.last == UInt8(ascii: "}") && $0.count > 1 && !$0.contains(0)
  }
}

/// Without U+0000, which is refused.
func clean(_ text: String) -> String { text.filter { $0 != "\0" } }

/// At most so many bytes of UTF-8, in whole characters.
func cut(_ text: String, to limit: Int) -> String {
  let kept = String(decoding: text.utf8.prefix(limit), as: UTF8.self)
  return text.utf8.starts(with: kept.utf8) ? kept : String(kept.unicodeScalars.dropLast())
}

/// Bytes of the texts that describe. Of a reason the service keeps as many; with another that is longer it refuses the event.
private let limits = ["reason": 256, "osVersion": 64, "sdkVersion": 64, "network": 64, "deviceModel": 64, "region": 32]

/// A value as the service takes it.
func fit(_ name: String, _ value: Any?) -> Any? {
  (value as? String).map(clean).map { text in limits[name].map { cut(text, to: $0) } ?? text } ?? value
}
