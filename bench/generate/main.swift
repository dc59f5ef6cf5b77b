// A big database for the benchmarks: events straight into the store, more than a million a second.
//
//   bench-generate DB [--devices N] [--releases N] [--csv FILE] [--no-fold | --only-fold] [--no-summary] [--until-now]
//
// With --until-now the newest release came out two days ago; else the fleet is that of a fixed year, the same in every run.

import Glibc
import Ingest
import Lifecycle
import Query
import Store

func option(_ name: String) -> String? {
  CommandLine.arguments.firstIndex(of: name).map { CommandLine.arguments[$0 + 1] }
}

/// Of the ids `d0`, `d1`, …: so that a service on the database can be sent events of the same devices.
func hashes(of devices: Int, _ keys: IdentityKeys) -> [UInt64] {
  let decoder = NativeDecoder(keys: keys)
  return stride(from: 0, to: devices, by: 1000).flatMap { first in
    let lines = (first..<min(first + 1000, devices)).map {
      #"{"id":"\#($0)","device":"d\#($0)","app":"\#(Fleet.app)","stage":"check","at":1735689600000}"#
    }
    let body = Array(lines.joined(separator: "\n").utf8)
    return decoder.decode(body.span.bytes, as: .ndjson, .request(app: nil, received: Fleet.start)).batch.events.map(
      \.device.rawValue)
  }
}

func batch(_ moments: ArraySlice<Moment>, _ fleet: Fleet, _ identity: inout UInt64) -> EventBatch {
  var batch = EventBatch()
  batch.contexts = Fleet.contexts
  batch.names += (0..<fleet.releases).map(Fleet.label) + Fleet.reasons
  batch.events.reserveCapacity(moments.count)
  for moment in moments {
    identity += 1
    let hash = fleet.hash(Int(moment.device))
    let isFinished = moment.stage == .wakeFinished
    var event = Event(
      at: Timestamp(rawValue: moment.at), device: DeviceHash(rawValue: hash), identity: mixed(identity),
      context: UInt32(moment.context), stage: moment.stage, trigger: moment.trigger,
      outcome: isFinished ? .newData : nil,
      release: isFinished ? .none : NameIndex(rawValue: UInt32(moment.release) + 1))
    switch moment.stage {
    case .failed: event.reason = NameIndex(rawValue: UInt32(fleet.releases) + 1 + UInt32(hash % 3))
    case .pushSent, .pushReceived: event.push = mixed(UInt64(moment.release) << 40 | UInt64(moment.device))
    case .wakeFinished: event.duration = Milliseconds(rawValue: Int64(hash % 28_000))
    case .check: event.bucket = Fleet.bucket(Int(moment.device))
    default: break
    }
    batch.events.append(event)
    // Word of an event comes seconds later, now and then an hour.
    batch.receivedEach.append(event.at + Milliseconds(rawValue: Int64(identity % 100 == 0 ? 3_600_000 : 2000)))
  }
  return batch
}

func seconds(since begin: ContinuousClock.Instant) -> Double {
  let spent = begin.duration(to: .now).components
  return Double(spent.seconds) + Double(spent.attoseconds) / 1e18
}

func report(_ what: String, _ events: Int, _ begin: ContinuousClock.Instant) {
  let spent = seconds(since: begin)
  let line = Array(
    "\(what) \(events) events in \(Int(spent * 1000)) ms: \(Int(Double(events) / spent / 1000)) k/s\n".utf8)
  write(1, line, line.count)
}

guard CommandLine.arguments.count > 1, !CommandLine.arguments[1].hasPrefix("-") else {
  let usage = Array("usage: bench-generate DB [options]; they stand at the top of bench/generate/main.swift\n".utf8)
  write(2, usage, usage.count)
  exit(2)
}
let path = CommandLine.arguments[1]
let releases = option("--releases").flatMap { Int($0) } ?? 20
if CommandLine.arguments.contains("--until-now") {
  let newest = Timestamp(rawValue: Int64(time(nil)) * 1000) - .days(2)
  Fleet.start = newest - Milliseconds(rawValue: Fleet.week.rawValue * Int64(releases - 1))
}
let log = try EventLog(path: path, durability: .normal, window: 1 << 16)
var fleet = Fleet(
  hashes: hashes(of: option("--devices").flatMap { Int($0) } ?? 1_000_000, log.identityKeys),
  releases: releases)
let registry = try Registry(path: path)
for release in 0..<fleet.releases {
  let publication = Fleet.publication(release)
  try registry.publish(publication, now: publication.publishedAt)
}
var csv = option("--csv").flatMap { CSVFile($0) }
var (identity, events) = (UInt64(0), 0)
let begin = ContinuousClock.now
for release in 0..<(CommandLine.arguments.contains("--only-fold") ? 0 : fleet.releases) {
  let (present, before) = (Int64(time(nil)) * 1000, fleet.running)
  let all = fleet.moments(of: release)
  let moments = all.filter { $0.at < present }
  // What lies ahead has not happened.
  for moment in all where moment.at >= present && moment.stage == .applied {
    fleet.running[Int(moment.device)] = before[Int(moment.device)]
  }
  for start in stride(from: 0, to: moments.count, by: 50_000) {
    let part = moments[start..<min(start + 50_000, moments.count)]
    for moment in part where csv != nil { csv?.add(moment, device: fleet.hash(Int(moment.device))) }
    _ = try log.append([batch(part, fleet, &identity)])
  }
  events += moments.count
  report("stored", events, begin)
}
csv = nil
if !CommandLine.arguments.contains("--no-fold") {
  let begin = ContinuousClock.now
  let folded = try log.foldAll(isAlone: true)
  report("folded", folded, begin)
  if !CommandLine.arguments.contains("--no-summary") {
    let summarising = ContinuousClock.now
    try Summary.refresh(path: path)
    report("summarised", folded, summarising)
  }
}
try log.checkpoint()

// What each device runs at the end, a byte each: for who sends events of the same devices.
let running = open(path + ".running", O_WRONLY | O_CREAT | O_TRUNC, 0o644)
_ = fleet.running.withUnsafeBytes { write(running, $0.baseAddress, $0.count) }
close(running)
