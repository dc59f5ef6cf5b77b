import CoverageStudy

/// Prints how often faults are named first, and how often healthy fleets are told that they are.
///
/// - Returns: whether at least nine of ten faults were, and at most one of twenty healthy fleets was not.
func diagnoses(fleets: Int, devices: Int, only: String?) throws -> Bool {
  func told(_ names: [String], fleets: Int) throws -> (right: Int, all: Int) {
    var sum = (right: 0, all: 0)
    for name in names where only == nil || only == name {
      let row = try DiagnosisStudy.row(name, fleets: fleets, devices: devices)
      let wrong = row.wrong.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
      print("| \(row.scenario) | \(row.right) of \(row.fleets) | \(wrong) |")
      sum = (sum.right + row.right, sum.all + row.fleets)
    }
    return sum
  }
  print("## Diagnoses\n\n| scenario | right first | instead |\n|---|---|---|")
  let faults = try told(DiagnosisStudy.expected.keys.sorted(), fleets: fleets)
  let healthy = try told(DiagnosisStudy.healthy, fleets: 5 * fleets)
  print(
    "\nfaults named first: \(faults.right) of \(faults.all); nothing found in \(healthy.right) of \(healthy.all) healthy fleets"
  )
  return faults.right * 10 >= faults.all * 9 && healthy.right * 20 >= healthy.all * 19
}
