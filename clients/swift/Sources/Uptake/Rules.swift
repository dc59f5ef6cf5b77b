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
  let bucket = bucketOf(device, in: experiment.name)
  var end = 0
  return experiment.arms.first { _, percent in
    end += Int((percent * 100).rounded())
    return bucket < end
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
  var status: Int
  var body: String
  var retryAfter: String?

  enum Next: String { case go, halve, retry, rest }

  private var json: [String: Any]? { try? JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any] }

  /// Why events wait: the service's own words where it has some.
  var cause: String {
    let said = (json?["error"] as? [String: Any])?["message"] as? String
    return status == 0 ? body : "status \(status)" + (said.map { ": \($0)" } ?? "")
  }

  /// How many of `count` events leave the queue, how many of them were refused, and what comes next.
  func verdict(count: Int) -> (remove: Int, refused: Int, next: Next) {
    func number(_ name: String) -> Int { json?[name] as? Int ?? 0 }
    let answered = number("accepted") + number("duplicate") + number("rejected")
    if answered > 0, 200..<300 ~= status || status == 400 {
      return (min(answered, count), min(number("rejected"), count), .go)
    }
    let isAboutAll = status == 413 || status == 400 && json?["error"] != nil
    if isAboutAll { return count > 1 ? (0, 0, .halve) : (1, 1, .go) }
    return (0, 0, 400..<500 ~= status && ![408, 425, 429].contains(status) ? .rest : .retry)
  }

  /// Milliseconds until the next attempt; `random` is from 0 up to 1.
  func pause(_ next: Next, failures: Int, random: Double, base: Int) -> Int {
    let hour = 3_600_000.0
    let full = next == .rest ? hour : min(hour, Double(base) * pow(2, Double(min(failures - 1, 30))))
    let seconds = min(retryAfter.flatMap { UInt32($0) } ?? 0, 86_400)
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
