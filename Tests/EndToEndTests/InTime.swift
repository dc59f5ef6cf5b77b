/// Whether one of ten attempts takes less than that: others may keep the machine busy in between.
func takesLess(than limit: Duration, _ attempt: () throws -> Void) rethrows -> Bool {
  for _ in 0..<10 where try ContinuousClock().measure(attempt) < limit { return true }
  return false
}
