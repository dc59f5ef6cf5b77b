import Testing

/// Equal within a relative tolerance (absolute below `floor`), or both absent.
func expectNear(
  _ actual: Double?, _ expected: Double?, relative: Double = 1e-9, floor: Double = 1e-300, _ what: String,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  guard let actual, let expected else {
    #expect(
      actual == nil && expected == nil, "\(what): \(text(actual)), expected \(text(expected))",
      sourceLocation: sourceLocation)
    return
  }
  let allowed = max(relative * abs(expected), floor)
  #expect(abs(actual - expected) <= allowed, "\(what): \(actual), expected \(expected)", sourceLocation: sourceLocation)
}

private func text(_ value: Double?) -> String { value.map { "\($0)" } ?? "absent" }
