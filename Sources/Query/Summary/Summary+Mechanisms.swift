import Lifecycle
import Store

/// What mechanisms did, as it was counted before; by channel, platform and, of tables, arm.
struct StoredMechanisms {
  var legs: [Group: Legs] = [:]
  /// Devices that name no arm are in none.
  var arms: [Group: RiskCell] = [:]
}

extension RiskCounting {
  /// With legs; exact, or not used at all.
  func storedWithLegs(_ snapshot: borrowing Snapshot) throws -> Sum? {
    guard splits == .arm, targets.count == 1, let summary = try Summary(snapshot, selection, timeline),
      let tables = try summary.tables(snapshot, targets),
      let mechanisms = try summary.mechanisms(snapshot, self, tables[0])
    else { return nil }
    var sum = Sum(tables: tables)
    sum.stored = mechanisms
    return sum
  }
}

extension Summary {
  /// nil where the summary was replaced meanwhile, or made without legs.
  fileprivate func mechanisms(
    _ snapshot: borrowing Snapshot, _ asked: RiskCounting, _ tables: RiskTables
  ) throws -> StoredMechanisms? {
    let read = try snapshot.summary(
      app: asked.selection.app, releases: [0, asked.targets[0].id], SummaryPart.ofLegs)
    guard let read else { return nil }
    let arms = SummaryPart.names(read, SummaryPart.arms)
    var found = StoredMechanisms()
    let own = Dictionary(grouping: read.filter { $0.release != 0 && asked.selection.includes($0.group) }, by: \.group)
    guard tables.cells.keys.allSatisfy({ own[$0] != nil }) else { return nil }
    for (group, parts) in own {
      let risk = tables.cells[group]?.stored ?? StoredIntervals([], cutOff: asked.cutOff.at)
      guard let legs = OpenLegs(parts.filter { $0.number < SummaryPart.armTables }).legs(at: asked.cutOff.at, risk)
      else { return nil }
      found.legs[group] = legs
      for (place, parts) in SummaryPart.byArm(parts) {
        guard arms.indices.contains(place) else { return nil }
        var named = group
        named.arm = arms[place]
        found.arms[named] = SummaryPart.cell(parts, cutOff: asked.cutOff.at)
      }
    }
    return found
  }
}

// MARK: in a summary

extension SummaryPart {
  /// Names as one column about no release: each byte for byte, then -1.
  static func parts(names: [String], _ number: Int64) -> [SummaryPart] {
    if names.isEmpty { return [] }
    return [SummaryPart(0, Group(channel: ""), number, names.flatMap { $0.utf8.map(Int64.init) + [-1] })]
  }

  /// Those of one column; empty where it is not there.
  static func names(_ parts: [SummaryPart], _ number: Int64) -> [String] {
    let values = parts.first { $0.number == number }?.values ?? []
    return values.split(separator: -1, omittingEmptySubsequences: false).dropLast().map { bytes in
      String(decoding: bytes.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }
  }

  /// Legs and the tables of arms of some releases.
  ///
  /// - Parameter arms: in the order of their numbers.
  static func mechanisms(
    _ counters: [(key: RiskTally.Key, counter: RiskCounter)], _ targets: [ReleaseRecord], _ arms: [String]
  ) -> [SummaryPart] {
    let legs = onAllCores(counters.withoutArms) { key, counter in
      (counter.legs ?? Legs()).parts(release: targets[key.target].id, key.group)
    }
    let tables = onAllCores(counters.filter { $0.key.group.arm != nil }) { key, counter in
      var group = key.group
      group.arm = nil
      let first = armTables + Int64(arms.firstIndex { $0 == key.group.arm } ?? 0) * armStride
      return parts(
        RiskTable.merged([counter.cell]), waiting: counter.waiting ?? [], release: targets[key.target].id, group
      ).map { part in
        var part = part
        part.number += first
        return part
      }
    }
    return (legs + tables).flatMap(\.self)
  }

  /// The columns of tables by the places of arms, each with the number that it has in a table of everybody.
  fileprivate static func byArm(_ parts: [SummaryPart]) -> [Int: [SummaryPart]] {
    Dictionary(grouping: parts.filter { $0.number >= armTables }) { Int(($0.number - armTables) / armStride) }
      .mapValues { parts in
        parts.map { part in
          var part = part
          part.number = (part.number - armTables) % armStride
          return part
        }
      }
  }
}

extension [(key: RiskTally.Key, counter: RiskCounter)] {
  /// With the arms of an experiment together.
  var withoutArms: Self {
    if allSatisfy({ $0.key.group.arm == nil }) { return self }
    var merged: [RiskTally.Key: RiskCounter] = [:]
    for (key, counter) in self {
      var whole = key
      whole.group.arm = nil
      if merged[whole] == nil { merged[whole] = counter } else { merged[whole]?.add(counter) }
    }
    return merged.map { (key: $0, counter: $1) }
  }
}
