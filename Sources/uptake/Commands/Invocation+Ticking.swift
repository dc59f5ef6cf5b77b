internal import Answers
internal import Console
internal import Dispatch
internal import Locks
internal import Store

extension Invocation {
  /// Does the work, and on a terminal says beside it how far it has come, from half a second on.
  ///
  /// - Parameters:
  ///   - unit: of what is counted; nil where nothing is, and the time tells that something is done.
  ///   - done: how much is done, and which part of the whole that is, where that is known; asked on another thread.
  func ticking<Result>(
    _ label: String, unit: String? = nil, _ done: @escaping @Sendable () -> (count: Int, part: Double?) = { (0, nil) },
    _ work: () throws -> Result
  ) rethrows -> Result {
    let progress = Lock(
      Progress(label, unit: unit, on: host.errors, glyphs: glyphs, quiet: flag(.quiet)))
    let timer = DispatchSource.makeTimerSource()
    timer.setEventHandler {
      let (count, part) = done()
      progress.withLock { $0.update(count, fraction: part) }
    }
    timer.schedule(deadline: .now() + 0.5, repeating: 0.2)
    timer.resume()
    defer {
      timer.cancel()
      progress.withLock { $0.finish() }
    }
    return try work()
  }

  /// The same for a question: of a file it is answered at once, or at least without the network.
  func reading<Result>(_ work: () throws -> Result) throws -> Result {
    guard RemoteDatabases.isAddress(try databasePath()) else { return try work() }
    return try ticking("reading the warehouse", unit: "ranges", { (RemoteReading.fetchedShards, nil) }, work)
  }
}
