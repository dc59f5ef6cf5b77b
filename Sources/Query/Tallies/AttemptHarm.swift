package import Lifecycle
import Store

/// What became of first attempts, by the time they were watched: until they are old enough or fail, and from the launch on.
///
/// Two clocks, so that neither a release that is launched sooner than others looks worse, nor one that nobody launched yet
/// looks better.
package struct AttemptHarm: Mergeable, Equatable {
  /// From the start of the attempt; happens where it is reported as failed.
  var delivery = Harm()
  /// From the launch; happens where the release is rolled back or crashes.
  var activation = Harm()
  /// Where it is to be known what each look found.
  var looks: Looks?

  package struct Looks: Mergeable, Equatable {
    var delivery = HarmLooks()
    var activation = HarmLooks()

    package init() {}

    package mutating func add(_ other: Self, times: Int) {
      delivery.add(other.delivery, times: times)
      activation.add(other.activation, times: times)
    }
  }

  package init() {}

  package mutating func add(_ other: Self, times: Int) {
    delivery.add(other.delivery, times: times)
    activation.add(other.activation, times: times)
    guard let more = other.looks else { return }
    var sum = looks ?? Looks()
    sum.add(more, times: times)
    looks = sum == Looks() ? nil : sum
  }
}

extension AttemptHarm {
  var events: Int { delivery.events + activation.events }
  var attempts: Int { delivery.devices }

  mutating func add(
    _ attempt: Attempt, _ cutOff: Timestamp, _ options: Failures.Options, _ vocabulary: Vocabulary, _ grid: LookGrid?
  ) {
    let failure = attempt.knownFailure(by: cutOff, options, vocabulary)
    watch(
      start: attempt.start.at, launch: attempt.launch.happened ? attempt.launch.at : nil,
      failure: failure.map { ($0.at, $0.stage != .failed, $0.knownAt) }, cutOff, options, grid)
  }

  /// - Parameter failure: when it failed, whether after the launch, and since when that is known.
  package mutating func watch(
    start: Timestamp, launch: Timestamp?, failure: (at: Timestamp, isAfterLaunch: Bool, knownAt: Timestamp)?,
    _ cutOff: Timestamp, _ options: Failures.Options = Failures.Options(), _ grid: LookGrid? = nil
  ) {
    func age(since begin: Timestamp) -> Milliseconds? { failure.map { max($0.at - begin, Milliseconds(rawValue: 0)) } }
    let tried = age(since: start)
    let endsDelivery = tried.map { $0 <= options.attemptAge } ?? false
    let hasFailed = failure.map { !$0.isAfterLaunch } ?? false
    delivery.add(
      hasFailed ? tried : nil, watchedFor: min(cutOff - start, tried ?? cutOff - start), of: options.attemptAge)
    if let grid {
      let ending = hasFailed ? tried.map { HarmLooks.Ending.happened($0, knownAt: failure?.knownAt) } : nil
      let leaves = endsDelivery ? tried.map { HarmLooks.Ending.left($0) } : nil
      note(\.delivery, grid, start, ending ?? leaves)
    }
    guard let launch, launch <= cutOff, !hasFailed || failure.map({ $0.at >= launch }) ?? false else { return }
    let ran = age(since: launch)
    activation.add(
      hasFailed ? nil : ran, watchedFor: min(cutOff - launch, ran ?? cutOff - launch), of: options.rollbackAge)
    if let grid {
      let ending = ran.map { hasFailed ? HarmLooks.Ending.left($0) : .happened($0, knownAt: failure?.knownAt) }
      note(\.activation, grid, launch, ending)
    }
  }

  private mutating func note(
    _ part: WritableKeyPath<Looks, HarmLooks>, _ grid: LookGrid, _ start: Timestamp, _ ending: HarmLooks.Ending?
  ) {
    var sum = looks.take() ?? Looks()
    sum[keyPath: part].add(grid, from: start, ending)
    looks = sum
  }
}
