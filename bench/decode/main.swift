// How fast events are decoded, beside a bare simdjson walk of the same bytes.
//
//   swift run -c release bench-decode [--seconds N]

import CSimdjson
import Glibc
import Ingest
import Lifecycle
import Store

/// An event as phones send them: 12 fields, about 250 bytes. Every device sends five in a row.
func sample(_ number: Int) -> String {
  let stages = ["check", "available", "downloadStarted", "downloadCompleted", "ready"]
  let (device, step) = (number / 5, number % 5)
  return #"{"id":"\#(100_000_000 + number)-7c1e","device":"6f1a671c-9e0b-4c1d-8a2f-\#(100_000_000_000 + device)","#
    + #""app":"com.example.demo","channel":"production","platform":"\#(device % 3 == 0 ? "android" : "ios")","#
    + #""osVersion":"17.\#(device % 5)","appVersion":"5.1.\#(device % 4)","stage":"\#(stages[step])","#
    + #""trigger":"\#(device % 2 == 0 ? "silentPush" : "bgRefresh")","release":"2.0.\#(device % 2)","#
    + #""at":\#(1_709_539_200_000 + number * 37),"durationMs":\#(800 + number % 4000)}"#
}

struct Body {
  var name: String
  var format: BodyFormat
  var parts: [[UInt8]]
  var events: Int
}

func bodies(events: Int, perArray: Int) -> [Body] {
  let samples = (0..<events).map(sample)
  let arrays = stride(from: 0, to: events, by: perArray).map { start in
    Array(("[" + samples[start..<start + perArray].joined(separator: ",") + "]").utf8)
  }
  let rfc = samples.map { text -> String in
    guard let at = text.firstRange(of: #""at":"#) else { return text }
    return text[..<at.upperBound] + #""2024-03-04T08:00:00.123Z""# + text[at.upperBound...].dropFirst(13)
  }
  return [
    Body(name: "arrays of \(perArray)", format: .json, parts: arrays, events: events),
    Body(
      name: "NDJSON", format: .ndjson, parts: [Array(samples.joined(separator: "\n").utf8)], events: events),
    Body(
      name: "NDJSON, RFC 3339", format: .ndjson, parts: [Array(rfc.joined(separator: "\n").utf8)], events: events),
    Body(name: "single objects", format: .json, parts: samples.map { Array($0.utf8) }, events: events),
  ]
}

extension String {
  func firstRange(of part: String) -> Range<String.Index>? {
    let (haystack, needle) = (Array(utf8), Array(part.utf8))
    for start in haystack.indices.dropLast(needle.count) where Array(haystack[start..<start + needle.count]) == needle {
      let lower = utf8.index(utf8.startIndex, offsetBy: start)
      return lower..<utf8.index(lower, offsetBy: needle.count)
    }
    return nil
  }
}

/// The best of the rounds that fit the time: events a second.
func measure(_ events: Int, seconds: Double, _ round: () -> Void) -> Double {
  let begin = ContinuousClock.now
  var best = Duration.seconds(1000)
  repeat { best = min(best, ContinuousClock().measure(round)) } while begin.duration(to: .now) < .seconds(seconds)
  return Double(events) / (Double(best.components.attoseconds) / 1e18 + Double(best.components.seconds))
}

func millions(_ rate: Double) -> String {
  let hundredths = Int(rate / 10_000)
  return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
}

let seconds = CommandLine.arguments.count > 2 ? Double(CommandLine.arguments[2]) ?? 2 : 2
let decoder = NativeDecoder(keys: IdentityKeys(device: Array(0..<16), event: Array(16..<32)))
let now = Timestamp(rawValue: 1_709_553_600_000)
print("million events a second, one core\n")
print("| body | bytes an event | simdjson walk | rows | decoded |\n|---|---|---|---|---|")
for body in bodies(events: 100_000, perArray: 500) {
  let bytes = body.parts.reduce(0) { $0 + $1.count } / body.events
  let walk = measure(body.events, seconds: seconds) {
    for part in body.parts { part.withUnsafeBufferPointer { _ = csj_simdjson_walk($0.baseAddress, $0.count) } }
  }
  let rows = measure(body.events, seconds: seconds) {
    for part in body.parts { _ = decoder.countRows(part.span.bytes, as: body.format) }
  }
  let decoded = measure(body.events, seconds: seconds) {
    for part in body.parts {
      let decoded = decoder.decode(part.span.bytes, as: body.format, .request(app: nil, received: now))
      guard decoded.rejected.total == 0 else { fatalError("\(decoded.rejections)") }
    }
  }
  print("| \(body.name) | \(bytes) | \(millions(walk)) | \(millions(rows)) | \(millions(decoded)) |")
}
