// How often the intervals of Uptake's answers hold the truth, on simulated fleets whose truth is known.
//
//   swift run -c release bench-coverage [--fleets N] [--population N] [--only SCENARIO] [--results DIR] [--table]
//   swift run -c release bench-coverage --diagnoses [--fleets N] [--only SCENARIO]
//   swift run -c release bench-coverage --suspects [--fleets N]
//   swift run -c release bench-coverage --rules
//   swift run -c release bench-coverage --plans
//   swift run -c release bench-coverage --studies
//
// Ends with 1 where intervals hold the process less often than they say, by more than three binomial standard errors.
// Results are kept in DIR, a line per fleet, so that a study can be stopped and continued; --table only prints them.

import CoverageStudy
import Foundation

func option(_ name: String) -> String? {
  let words = CommandLine.arguments
  return words.firstIndex(of: "--" + name).flatMap { $0 + 1 < words.count ? words[$0 + 1] : nil }
}
func printStudies() {
  print("\n## The same devices in two releases\n\n\(PairedStudy.table(fleets: 1000))")
  print("\n## Checks that are far apart\n\n\(PolledStudy.table(fleets: 1000))")
  print("\n## Ends among the checks\n\n\(PolledEndStudy.table(fleets: 1000))")
  print("\n## Gates, looked at again and again\n\n\(LooksStudy.table(fleets: 300))")
  print("\n## Experiments of the planned size\n\n\(PlanStudy.table(experiments: 400))")
  print("\n## Forecasts of unseen releases\n\n\(ForecastStudy.table(runs: 500))")
}
func printRules() {
  print(FailureTimesStudy(rollouts: 500, devices: 4000, seed: 1).table)
  print(PauseRuleStudy(rollouts: 500, devices: 4000, seed: 1).table)
  print(TunedRuleStudy(rollouts: 500, devices: 4000, seed: 1).table)
}
let fleets = option("fleets").flatMap { Int($0) } ?? 40
let population = option("population").flatMap { Int($0) } ?? 40_000
let folder = option("results") ?? NSTemporaryDirectory() + "uptake-coverage"
let chosen = StudyScenario.all.filter { option("only") == nil || option("only") == $0.name }
let archive = try Archive(folder: folder)

if CommandLine.arguments.contains("--diagnoses") {
  exit(try diagnoses(fleets: fleets, devices: 2000, only: option("only")) ? 0 : 1)
}
if CommandLine.arguments.contains("--suspects") {
  print("## Devices that a release fails on\n\n\(try SuspectStudy.table(fleets: fleets, devices: 2000))")
  exit(0)
}
if CommandLine.arguments.contains("--rules") {
  printRules()
  exit(0)
}
if CommandLine.arguments.contains("--plans") {
  print(PlanStudy.table(experiments: 400))
  exit(0)
}
if CommandLine.arguments.contains("--studies") {
  printStudies()
  exit(0)
}
if !CommandLine.arguments.contains("--table") {
  for scenario in chosen { try archive.complete(scenario, fleets: fleets, population: population) }
}
let results = try archive.results()
let tables = Tables(results, StudyScenario.all)
print("## All scenarios\n\n\(tables.pooled)")
print("## By scenario\n\n\(tables.byScenario(results.measures))")
let clear = StudyScenario.all.filter { !$0.hidesBuckets }.map(\.name)
print("## Methods, all scenarios\n\n\(tables.methods(results.measures, in: clear))")
for name in ["early", "midway"] {
  print("## Methods, \(name)\n\n\(tables.methods(results.measures, in: [name]))")
}
print("## Stop rule\n")
print("fleets, a look every four hours: \(results.stops.stopped) of \(results.stops.rollouts) rollouts stopped")
for limit in [0.01, 0.03, 0.1] {
  let study = StopRuleStudy(limit: limit, rollouts: 2000, devices: 20_000, seed: 1)
  print(
    "limit \(limit): \(study.alarms) of \(study.rollouts) rollouts stopped; a repeated z-test: \(study.repeatedTests)")
}
print("\n## Rules that stop rollouts\n")
printRules()
print("\n## Few devices\n\n\(SmallGroups().table)")
printStudies()
let misses = results.misses(in: clear)
if !misses.isEmpty {
  print("\nnot as often as said: " + misses.map(\.rawValue).joined(separator: ", "))
  exit(1)
}
