internal import Simulate

/// Where the requests of a simulated fleet go.
protocol RequestOutlet: AnyObject {
  func take(_ request: Simulate.Request) throws
  /// After the last request; nothing is complete before.
  func finish() throws
  /// What to tell at the end.
  var notes: [String] { get }
}
