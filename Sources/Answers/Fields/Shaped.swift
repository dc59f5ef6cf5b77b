internal import Console
internal import Lifecycle
internal import Query
internal import Statistics

/// A value that an answer holds: what it looks like in JSON follows from its type.
protocol Shaped: Encodable, Sendable {
  static var shape: Shape { get }
  /// The value as the lists of its fields say that it is written.
  func listed() throws -> JSON
}

extension Shaped {
  func listed() throws -> JSON { try JSON(encoding: self) }
}

extension Int: Shaped { static var shape: Shape { .integer } }
extension Int64: Shaped { static var shape: Shape { .integer } }
extension Double: Shaped { static var shape: Shape { .number } }
extension String: Shaped { static var shape: Shape { .text } }
extension Bool: Shaped { static var shape: Shape { .flag } }
extension Timestamp: Shaped { static var shape: Shape { .instant } }
extension Group: Shaped { static var shape: Shape { .map(.text) } }
extension Labels: Shaped { static var shape: Shape { .map(.text) } }

extension Optional: Shaped where Wrapped: Shaped {
  static var shape: Shape { .nullable(Wrapped.shape) }
  func listed() throws -> JSON { try self?.listed() ?? .null }
}
extension Array: Shaped where Element: Shaped {
  static var shape: Shape { .list(Element.shape) }
  func listed() throws -> JSON { .array(try map { try $0.listed() }) }
}
extension Dictionary: Shaped where Key == String, Value: Shaped { static var shape: Shape { .map(Value.shape) } }

/// A closed vocabulary.
extension Shaped where Self: CaseIterable & RawRepresentable<String> {
  static var shape: Shape { .word(words) }
  static var words: [String] { allCases.map(\.rawValue) }
}

extension Estimate.Method: Shaped {}
extension Unestimable: Shaped {}
extension Relevance: Shaped {}
extension ProportionalHazards.Verdict: Shaped {}
extension MixtureTest.Decision: Shaped {}
extension ForecastBackTest.Cell.Verdict: Shaped {}
extension FailedStage: Shaped {}
extension Devices.Stand: Shaped {}
extension Experiment.Ratio.Against: Shaped {}
extension Diagnosis.Name: Shaped {}
extension Diagnosis.Level: Shaped {}
extension Failures.LimitSource: Shaped {}
extension Failures.Advice: Shaped {}
extension Forecast.Obstacle: Shaped {}
extension Forecast.Unlike: Shaped {}
extension Compare.Verdict: Shaped {}
extension Releases.State: Shaped {}
extension Verdict.Decision: Shaped {}
extension Verdict.Condition: Shaped {}
extension Verdict.Subject: Shaped {}
extension Verdict.StillRun.Fault: Shaped {}
extension Verdict.LimitSource: Shaped {}
