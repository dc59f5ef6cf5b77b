internal import Answers
internal import Console
internal import Lifecycle

/// Work of the service beside the requests, done in a process of its own: a fault in it ends that process, and no event is lost.
protocol Chore: Codable, Sendable {
  associatedtype Done: Codable & Sendable
  /// For the log, and between the service and the process.
  static var name: String { get }
  /// - Parameter clock: read after a snapshot was taken, so that nothing in it lies in the future.
  func done(_ clock: @Sendable () -> Instant) throws -> Done
}

/// Why a chore was not done, in words.
struct ChoreFailure: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }

  init(_ error: any Error) {
    guard let failure = Failure(explaining: error) else {
      description = "\(error)"
      return
    }
    description = failure.what + (failure.why.map { ": \($0)" } ?? "")
  }
}

extension Timestamp {
  /// What the clock says.
  init(_ clock: @Sendable () -> Instant) { self.init(rawValue: clock().rawValue) }
}
