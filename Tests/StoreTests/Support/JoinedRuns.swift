import Lifecycle

@testable import Store

extension ContactRun {
  /// Joins runs of the same key that a day or less lies between; plain and slow.
  static func joined(_ runs: inout [ContactRun]) {
    runs.sort { ($0.key, $0.start, $0.end) < ($1.key, $1.start, $1.end) }
    var kept = 0
    for index in runs.indices.dropFirst() {
      if runs[index].key == runs[kept].key, runs[index].start - runs[kept].end <= longestSilence {
        runs[kept].end = max(runs[kept].end, runs[index].end)
      } else {
        kept += 1
        runs[kept] = runs[index]
      }
    }
    if !runs.isEmpty { runs.removeSubrange((kept + 1)...) }
  }
}
