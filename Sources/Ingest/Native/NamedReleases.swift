public import Lifecycle

/// What each device named last, for events of clients that leave it out: a rollback, an error.
public struct NamedReleases: Sendable {
  private let last: @Sendable (_ app: String, _ device: String) -> String?
  private let note: @Sendable (_ naming: Naming, _ app: String, _ device: String) -> Void

  /// - Parameters:
  ///   - last: what is remembered of a device, in words that a `Naming` made.
  ///   - note: takes what an event of a device named; what is remembered of it is to change by that.
  public init(
    last: @escaping @Sendable (_ app: String, _ device: String) -> String?,
    note: @escaping @Sendable (_ naming: Naming, _ app: String, _ device: String) -> Void
  ) {
    (self.last, self.note) = (last, note)
  }

  /// What one event is about.
  public struct Naming: Hashable, Sendable {
    public var stage: Stage
    public var release: String

    public init(stage: Stage, release: String) { (self.stage, self.release) = (stage, release) }

    /// What is to be remembered after it, where it is another than before.
    public func words(after before: String?) -> String? {
      let before = Progress(before ?? "")
      let after = before.after(stage, release)
      return after == before ? nil : after.words
    }
  }

  func complete(_ event: JSONValue, app: String?) -> JSONValue {
    guard let device = event["device"]?.word, let stage = event.stage else { return event }
    let app = app ?? event["app"]?.text ?? ""
    let before = Progress(last(app, device) ?? "")
    let release = event["release"]?.word ?? before.subject(of: stage)
    guard let release else { return event }
    note(Naming(stage: stage, release: release), app, device)
    return event["release"]?.word == nil ? event.with("release", release) : event
  }

  /// How far a device is: what it is fetching, and what it staged or started last.
  private struct Progress: Equatable {
    var fetching, installed: String

    init(_ words: String) {
      let parts = words.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      (fetching, installed) = parts.count == 2 ? (parts[0], parts[1]) : ("", "")
    }

    var words: String { fetching + "\n" + installed }

    /// What fails is what is being fetched: a release that runs must not be blamed for it.
    func subject(of stage: Stage) -> String? {
      let known = stage == .failed ? fetching : stage == .rolledBack ? installed : ""
      return known.isEmpty ? nil : known
    }

    func after(_ stage: Stage, _ release: String) -> Progress {
      var copy = self
      switch stage {
      case .available, .downloadStarted, .downloadCompleted, .verified: copy.fetching = release
      case .ready, .applied, .confirmed: (copy.fetching, copy.installed) = ("", release)
      case .failed: copy.fetching = ""
      // What was installed stays: a rollback that is sent again is of the same.
      case .rolledBack, .wakeStarted, .check, .pushSent, .pushReceived, .wakeFinished, .dismissed, .crashed: break
      }
      return copy
    }
  }
}

extension JSONValue {
  /// The event itself, or a failure of no release where it is a rollback of which nobody knows what was rolled back.
  var withoutLostRollback: JSONValue {
    guard stage == .rolledBack, self["release"]?.word == nil else { return self }
    let reason = ["rollback", self["reason"]?.word].compactMap(\.self).joined(separator: ": ")
    return with("stage", Stage.failed.rawValue).with("reason", reason)
  }

  fileprivate var stage: Stage? { self["stage"]?.text.flatMap(LooseStage.find)?.stage }

  fileprivate func with(_ name: String, _ text: String) -> JSONValue {
    guard case .object(var members) = self else { return self }
    members.removeAll { $0.name == name }
    members.append(.init(name: name, value: .string(text)))
    return .object(members)
  }
}
